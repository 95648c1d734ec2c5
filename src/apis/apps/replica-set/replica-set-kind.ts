import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import { at } from '../../../apiserver/registry/validation/place.js';
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
  create: object => checkReplicaSet(at(object, 'spec')),
  update: ['changes', object => checkReplicaSet(at(object, 'spec')), (object, old) => keepSelector(object, old, 'apps/v1.ReplicaSetSpec')],
  warnings: (object, old) => [
    ...nameWarning(object, old),
    ...ofChanged(object, old, () => templateWarnings(at(object, 'spec', 'template'))),
  ],
};

function checkReplicaSet(spec: Place): void {
  checkNonNegative(at(spec, 'replicas'));
  checkNonNegative(at(spec, 'minReadySeconds'));
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
