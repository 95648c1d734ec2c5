import { replicaSetStatus } from '../../apps/replica-set/replica-set-status-validation.js';

/** Source: core/validation ValidateReplicationControllerStatusUpdate; these have no `terminatingReplicas`. */
export const replicationControllerStatus = replicaSetStatus;
