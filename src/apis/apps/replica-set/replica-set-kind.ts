import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { templateDisabledFields } from '../../core/pod/disabled-fields.js';
import { replicaSetStatus } from './replica-set-status-validation.js';
import { replicaSetRules } from './replica-set-validation.js';

/** ReplicaSet. */
export const replicaSetKind: KindDefinition = {
  validation: replicaSetRules,
  subresources: { status: { update: replicaSetStatus } },
  disabledFields: templateDisabledFields,
  hasGeneration: true,
  resetsStatus: true,
};
