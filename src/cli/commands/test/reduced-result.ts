import { caseWithoutSecrets } from '../../../suites/case-without-secrets.js';
import type { CaseResult } from '../../../suites/results.js';

/** Strips secrets from results, and calls where no report shows them. Lists are shared where they are equal: thousands of cases would fill the memory. */
export function reducedResult(showsCalls: boolean): (result: CaseResult) => CaseResult {
  const notes = sharedLists();
  return result => {
    const clean = caseWithoutSecrets(showsCalls ? result : { ...result, calls: none, conversion: undefined });
    return { ...clean, failures: orNone(clean.failures), notes: notes(clean.notes), calls: orNone(clean.calls) };
  };
}

/** Most lists are empty. */
const none: readonly never[] = [];

function orNone<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? none : list;
}

/** Most cases of a suite have the same notes. */
const maxShared = 100;

function sharedLists(): (list: readonly string[]) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return list => {
    if (list.length === 0) return none;
    const key = JSON.stringify(list);
    const shared = known.get(key) ?? list;
    if (known.size < maxShared) known.set(key, shared);
    return shared;
  };
}
