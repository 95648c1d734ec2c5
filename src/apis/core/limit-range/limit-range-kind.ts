import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { limitRange } from './limit-range-strategy.js';
import { limitRangeRules } from './limit-range-validation.js';

/** LimitRange. */
export const limitRangeKind: KindDefinition = { refine: limitRange, validation: limitRangeRules, allowsCreateOnUpdate: true };
