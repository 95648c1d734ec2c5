import type { Refinement } from '../../../apiserver/registry/strategy.js';

/** Strategy of priority classes: the value is immutable, and the generation is not raised after creation. */
export const priorityClass: Refinement = base => ({ ...base, prepareForUpdate: () => undefined });
