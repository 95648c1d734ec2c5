import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { serviceAccount } from './service-account-strategy.js';
import { serviceAccountRules } from './service-account-validation.js';

/** ServiceAccount. */
export const serviceAccountKind: KindDefinition = {
  refine: serviceAccount,
  validation: serviceAccountRules,
  deletion: { returnsObject: true },
};
