import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { templateGatedFields } from '../../core/pod/gated-fields.js';
import { replicaSetStatus } from './replica-set-status-validation.js';
import { replicaSetRules } from './replica-set-validation.js';

/** ReplicaSet. */
export const replicaSetKind: KindDefinition = {
  validation: replicaSetRules,
  subresources: { status: { update: replicaSetStatus } },
  gatedFields: [...templateGatedFields, { gates: ['DeploymentReplicaSetTerminatingReplicas'], paths: ['status.terminatingReplicas'] }],
  hasGeneration: true,
  resetsStatus: true,
  deletion: { zeroMembers: { spec: { replicas: 0 } } },
};
