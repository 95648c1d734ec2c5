import { type FieldPath, type FieldSet, type FieldSetNode, fieldSet, isEmpty, recursiveDifference } from './field-set.js';

/** Removes paths from a set. */
export type FieldFilter = (set: FieldSet) => FieldSet;

/** Returns every set unchanged. */
export const keepAll: FieldFilter = set => set;

/** Returns a filter that removes the paths and everything below them. Source: structured-merge-diff NewExcludeSetFilter. */
export function excluding(...paths: readonly FieldPath[]): FieldFilter {
  const excluded = fieldSet(...paths);
  return set => recursiveDifference(set, excluded);
}

/**
 * Returns a filter that keeps the paths, their parents and everything below them; `*` matches any step. Source: structured-merge-diff
 * NewIncludeMatcherFilter.
 */
export function including(...paths: readonly (readonly string[])[]): FieldFilter {
  return set => kept(set, paths);
}

function kept(set: FieldSet, paths: readonly (readonly string[])[]): FieldSet {
  if (paths.some(path => path.length === 0)) return set;
  const members = new Map([...set.members].filter(([text]) => below(paths, text).length > 0));
  const children = new Map<string, FieldSetNode>();
  for (const [text, { element, set: inside }] of set.children) {
    const rest = below(paths, text);
    const left = rest.length > 0 ? kept(inside, rest) : fieldSet();
    if (!isEmpty(left)) children.set(text, { element, set: left });
  }
  return { members, children };
}

/** Returns the rest of the paths after a step. */
function below(paths: readonly (readonly string[])[], text: string): (readonly string[])[] {
  return paths.filter(([first]) => first === '*' || `f:${first}` === text).map(path => path.slice(1));
}
