import { type FieldSet, type FieldSetPath, fieldSet, recursiveDifference } from './field-set.js';

/** Removes paths from a set. */
export type FieldFilter = (set: FieldSet) => FieldSet;

/** Returns every set unchanged. */
export const keepAll: FieldFilter = set => set;

/** Returns a filter that removes the paths and everything below them. Source: structured-merge-diff NewExcludeSetFilter. */
export function excluding(...paths: readonly FieldSetPath[]): FieldFilter {
  const excluded = fieldSet(...paths);
  return set => recursiveDifference(set, excluded);
}
