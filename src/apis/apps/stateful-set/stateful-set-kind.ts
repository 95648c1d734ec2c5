import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { dns1123LabelProblems } from '../../../kubernetes/name-rules.js';
import { templateGatedFields } from '../../core/pod/gated-fields.js';
import { statefulSetStatus } from './stateful-set-status-validation.js';
import { statefulSetRules } from './stateful-set-validation.js';

/** StatefulSet. */
export const statefulSetKind: KindDefinition = {
  validation: statefulSetRules,
  nameProblems: dns1123LabelProblems,
  subresources: { status: { update: statefulSetStatus } },
  gatedFields: [
    ...templateGatedFields,
    { gates: ['MaxUnavailableStatefulSet'], paths: ['spec.updateStrategy.rollingUpdate.maxUnavailable'] },
  ],
  hasGeneration: true,
  resetsStatus: true,
  deletion: { zeroMembers: { spec: { replicas: 0 } } },
};
