import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { resourceSliceDisabledFields } from './disabled-fields.js';
import { resourceSliceRules } from './resource-slice-validation.js';

/** ResourceSlice. */
export const resourceSliceKind: KindDefinition = {
  validation: resourceSliceRules,
  disabledFields: resourceSliceDisabledFields,
  countsDroppedFields: true,
  hasGeneration: true,
};
