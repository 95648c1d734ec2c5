import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { dns1123LabelProblems } from '../../../kubernetes/name-rules.js';
import { templateGatedFields } from '../../core/pod/gated-fields.js';
import { checkAtMost, checkCollisions, checkCounts } from '../../core/replication-controller/replica-counts.js';
import { statefulSetRules } from './stateful-set-validation.js';

/** Source: apps/validation ValidateStatefulSetStatusUpdate. */
const statefulSetStatus: readonly UpdateStep[] = [
  object => {
    const status = object.child('status');
    checkCounts(status, [
      'replicas',
      'readyReplicas',
      'currentReplicas',
      'updatedReplicas',
      'availableReplicas',
      'observedGeneration',
      'collisionCount',
    ]);
    checkAtMost(status, ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'], 'status.readyReplicas');
  },
  'changes',
  checkCollisions,
];

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
