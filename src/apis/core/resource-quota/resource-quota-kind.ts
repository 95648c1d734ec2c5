import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { resourceQuotaStatus } from './resource-quota-status-validation.js';
import { resourceQuotaRules } from './resource-quota-validation.js';

/** ResourceQuota. */
export const resourceQuotaKind: KindDefinition = {
  validation: resourceQuotaRules,
  subresources: { status: { update: resourceQuotaStatus } },
  resetsStatus: true,
  deletion: { returnsObject: true },
};
