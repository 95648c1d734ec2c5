import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { resourceSliceGatedFields } from './gated-fields.js';
import { resourceSliceRules } from './resource-slice-validation.js';

/** ResourceSlice. */
export const resourceSliceKind: KindDefinition = {
  validation: resourceSliceRules,
  gatedFields: resourceSliceGatedFields,
  countsDroppedFields: true,
  hasGeneration: true,
  deletion: { returnsObject: true },
};
