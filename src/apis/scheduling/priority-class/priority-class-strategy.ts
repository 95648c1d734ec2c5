import type { Refinement } from '../../../apiserver/registry/strategy.js';

/** The value of a class never changes, and nothing counts its generations after creation. */
export const priorityClass: Refinement = base => ({ ...base, prepareForUpdate: () => undefined });
