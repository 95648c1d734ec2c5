import type { Import } from './imports.js';

/**
 * Import cycles among files: each is the sorted list of files that all reach each other (a strongly connected component with more than one
 * file, or a file that imports itself). Type-only and dynamic imports count.
 */
export function importCycles(imports: readonly Import[]): string[][] {
  const targets = new Map<string, Set<string>>();
  for (const { file, target, isLibrary } of imports) {
    if (isLibrary) continue;
    const known = targets.get(file) ?? new Set<string>();
    targets.set(file, known.add(target));
  }
  const cycles = components(targets).filter(([first = '', ...others]) => others.length > 0 || targets.get(first)?.has(first) === true);
  return cycles.map(cycle => cycle.sort()).sort((a, b) => (String(a) < String(b) ? -1 : 1));
}

/** State of Tarjan's algorithm for one file. */
interface Visit {
  readonly index: number;
  lowLink: number;
  isOnStack: boolean;
}

/** Strongly connected components, by Tarjan's algorithm. */
function components(targets: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const visits = new Map<string, Visit>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): Visit => {
    const own: Visit = { index: visits.size, lowLink: visits.size, isOnStack: true };
    visits.set(file, own);
    stack.push(file);
    for (const target of targets.get(file) ?? []) {
      const before = visits.get(target);
      if (before === undefined) own.lowLink = Math.min(own.lowLink, visit(target).lowLink);
      else if (before.isOnStack) own.lowLink = Math.min(own.lowLink, before.index);
    }
    if (own.lowLink === own.index) found.push(popComponent(file));
    return own;
  };
  const popComponent = (root: string): string[] => {
    const files = stack.splice(stack.lastIndexOf(root));
    for (const file of files) {
      const state = visits.get(file);
      if (state !== undefined) state.isOnStack = false;
    }
    return files;
  };
  for (const file of targets.keys()) if (!visits.has(file)) visit(file);
  return found;
}
