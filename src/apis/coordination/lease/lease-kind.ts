import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { leaseRules } from './lease-validation.js';

/** Lease. */
export const leaseKind: KindDefinition = {
  validation: leaseRules,
  disabledFields: [['spec.strategy'], ['spec.preferredHolder']],
  allowsCreateOnUpdate: true,
  allowsUnconditionalUpdate: false,
};
