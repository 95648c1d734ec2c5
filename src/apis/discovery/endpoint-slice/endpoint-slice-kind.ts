import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { endpointSlice } from './endpoint-slice-strategy.js';
import { endpointSliceRules } from './endpoint-slice-validation.js';

/** EndpointSlice. */
export const endpointSliceKind: KindDefinition = { refine: endpointSlice, validation: endpointSliceRules, hasGeneration: true };
