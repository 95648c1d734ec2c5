import { type FieldPath, type FieldSet, fieldSet, recursiveDifference } from './field-set.js';

/** Takes paths out of a set. */
export type FieldFilter = (set: FieldSet) => FieldSet;

/** Leaves every set as it is. */
export const keepAll: FieldFilter = set => set;

/** Takes the paths and what lies below them out. Source: structured-merge-diff NewExcludeSetFilter. */
export function excluding(...paths: readonly FieldPath[]): FieldFilter {
  const excluded = fieldSet(...paths);
  return set => recursiveDifference(set, excluded);
}
