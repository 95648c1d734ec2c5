import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { gatedClaimFieldsBelow } from '../resource-claim/gated-fields.js';
import { resourceClaimTemplate } from '../resource-claim/resource-claim-strategy.js';
import { resourceClaimTemplateRules } from '../resource-claim/resource-claim-validation.js';

/** ResourceClaimTemplate. */
export const resourceClaimTemplateKind: KindDefinition = {
  refine: resourceClaimTemplate,
  validation: resourceClaimTemplateRules,
  gatedFields: gatedClaimFieldsBelow('spec.spec'),
  deletion: { returnsObject: true },
};
