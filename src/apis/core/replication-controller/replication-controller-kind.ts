import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { templateGatedFields } from '../pod/gated-fields.js';
import { replicationControllerStatus } from './replication-controller-status-validation.js';
import { replicationControllerRules } from './replication-controller-validation.js';

/** ReplicationController. */
export const replicationControllerKind: KindDefinition = {
  validation: replicationControllerRules,
  checkedTwiceUntil: 'v1.34',
  anyGenerateNameSince: 'v1.35',
  subresources: { status: { update: replicationControllerStatus } },
  gatedFields: templateGatedFields,
  hasGeneration: true,
  resetsStatus: true,
  deletion: { dependents: 'orphaned' },
};
