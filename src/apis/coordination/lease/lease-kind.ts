import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { leaseRules } from './lease-validation.js';

/** Lease. */
export const leaseKind: KindDefinition = {
  validation: leaseRules,
  gatedFields: [
    { gates: ['CoordinatedLeaderElection'], paths: ['spec.strategy'] },
    { gates: ['CoordinatedLeaderElection'], paths: ['spec.preferredHolder'] },
  ],
  allowsCreateOnUpdate: true,
  allowsUnconditionalUpdate: false,
};
