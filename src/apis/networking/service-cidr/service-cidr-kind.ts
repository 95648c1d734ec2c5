import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { serviceCidrRules } from './service-cidr-validation.js';

/** ServiceCIDR. */
export const serviceCidrKind: KindDefinition = {
  validation: serviceCidrRules,
  subresources: { status: { update: ['changes'] } },
  resetsStatus: true,
  keepsMetadataInStatus: true,
};
