import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkNonNegative } from '../../../apiserver/registry/validation/rules.js';
import { templateGatedFields } from '../../core/pod/gated-fields.js';
import { templateWarnings } from '../../core/pod/validation/pod-warnings.js';
import {
  checkRequiredSelector,
  checkSelectedTemplate,
  keepSelector,
  nameWarning,
  ofChanged,
} from '../../core/pod-template/selected-templates.js';
import { replicaSetStatus } from '../../core/replication-controller/replica-set-status-validation.js';

/** Source: apps/validation ValidateReplicaSet. */
const replicaSetRules: KindRules = {
  create: object => checkReplicaSet(object.child('spec')),
  update: [
    'changes',
    object => checkReplicaSet(object.child('spec')),
    (object, old) => keepSelector(object, old, 'apps/v1.ReplicaSetSpec'),
  ],
  warnings: (object, old) => [
    ...nameWarning(object, old),
    ...ofChanged(object, old, () => templateWarnings(object.child('spec', 'template'))),
  ],
};

function checkReplicaSet(spec: FieldPath): void {
  checkNonNegative(spec.child('replicas'));
  checkNonNegative(spec.child('minReadySeconds'));
  checkRequiredSelector(spec, 'deployment');
  checkSelectedTemplate(spec, 'ReplicaSet');
}

/** ReplicaSet. */
export const replicaSetKind: KindDefinition = {
  validation: replicaSetRules,
  subresources: { status: { update: replicaSetStatus } },
  gatedFields: [...templateGatedFields, { gates: ['DeploymentReplicaSetTerminatingReplicas'], paths: ['status.terminatingReplicas'] }],
  hasGeneration: true,
  resetsStatus: true,
  deletion: { zeroMembers: { spec: { replicas: 0 } } },
};
