import type { FunctionDeclaration, VariableDeclaration } from './declarations.js';

/** The names of an environment that an unknown name may have been meant to be. */
export interface NamedDeclarations {
  readonly variables: ReadonlyMap<string, VariableDeclaration>;
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly macros: readonly { readonly name: string }[];
}

/** Functions of the standard library that no expression calls any more. Source: cel-go common/stdlib/standard.go. */
const oldNames = ['__not_strictly_false__', '_in_', 'in'];

/**
 * Returns at most two names of an environment that are similar to an unknown one, the shortest first: those that differ in the fewest
 * characters, otherwise those that begin with it. A name with dots is compared with names with dots only. Source: cel-go common/env/catalog.go
 * Catalog.Find, cel/env.go initChecker.
 */
export function similarNames(declared: NamedDeclarations, name: string): readonly string[] {
  const names = new Set([
    ...declared.variables.keys(),
    ...declared.functions.keys(),
    ...declared.macros.map(macro => macro.name),
    ...oldNames,
  ]);
  if (names.has(name)) return [name];
  const candidates = [...names].filter(candidate => candidate.includes('.') === name.includes('.'));
  const distances = new Map(candidates.map(candidate => [candidate, editDistance(name, candidate)]));
  const least = Math.min(...distances.values());
  if (least <= maxDistance(name)) return shortest(candidates.filter(candidate => distances.get(candidate) === least));
  return name.length < 2 ? [] : shortest(candidates.filter(candidate => candidate.startsWith(name)));
}

/** In bytes: a name has only ASCII characters. */
function maxDistance({ length }: string): number {
  if (length <= 3) return 1;
  return length <= 8 ? 2 : Math.floor(length / 3);
}

function shortest(names: readonly string[]): readonly string[] {
  return [...names].sort((a, b) => a.length - b.length || (a < b ? -1 : 1)).slice(0, 2);
}

const longName = 16;
const maxSteps = 64 * 64;

/**
 * Returns the number of inserted, deleted, replaced and swapped characters between two names; Infinity, or the difference of their lengths,
 * where it exceeds a third of the longer name. Source: cel-go common/env/catalog.go EditDistance.
 */
function editDistance(a: string, b: string): number {
  const [short, long] = [Math.min(a.length, b.length), Math.max(a.length, b.length)];
  if (short === 0) return long;
  if (long >= longName && long * 2 >= short * 3) return long - short;
  if (short * long > maxSteps) return Number.POSITIVE_INFINITY;
  const threshold = Math.floor(long / 3);
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) row.push(distanceAt({ a, b, i, j }, { row, last, beforeLast }));
    if (Math.min(...row) > threshold) return Number.POSITIVE_INFINITY;
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

interface Rows {
  readonly row: readonly number[];
  readonly last: readonly number[];
  readonly beforeLast: readonly number[];
}

function distanceAt({ a, b, i, j }: { a: string; b: string; i: number; j: number }, { row, last, beforeLast }: Rows): number {
  const at = (of: readonly number[], column: number): number => of[column] ?? Number.POSITIVE_INFINITY;
  const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
  return Math.min(
    at(last, j) + 1,
    at(row, j - 1) + 1,
    at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
    isSwapped ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY,
  );
}
