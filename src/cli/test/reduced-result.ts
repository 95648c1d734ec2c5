import { caseWithoutSecrets } from '../../suites/case-without-secrets.js';
import type { CaseResult } from '../../suites/results.js';

/** Strips secrets from results, and calls where no report shows them: thousands of cases would fill the memory. */
export function reducedResult(showsCalls: boolean): (result: CaseResult) => CaseResult {
  return result => {
    const clean = caseWithoutSecrets(showsCalls ? result : { ...result, calls: none, conversion: undefined });
    return { ...clean, failures: orNone(clean.failures), notes: orNone(clean.notes), calls: orNone(clean.calls) };
  };
}

/** Most lists are empty. */
const none: readonly never[] = [];

function orNone<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? none : list;
}
