import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { at } from '../../../apiserver/registry/validation/place.js';
import { checkHasVersion } from '../required-resource-version.js';
import { checkQuotaAmounts } from './resource-quota-validation.js';

/** Source: core/validation ValidateResourceQuotaStatusUpdate. */
export const resourceQuotaStatus: readonly UpdateStep[] = [
  'changes',
  checkHasVersion,
  quota => {
    checkQuotaAmounts(at(quota, 'status', 'hard'));
    checkQuotaAmounts(at(quota, 'status', 'used'));
  },
];
