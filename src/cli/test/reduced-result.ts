import { caseWithoutSecrets } from '../../suites/case-without-secrets.js';
import type { CaseResult } from '../../suites/results.js';

/** Strips secrets from results, and calls where no report shows them: thousands of cases would fill the memory. */
export function reducedResult(showsCalls: boolean): (result: CaseResult) => CaseResult {
  return result => caseWithoutSecrets(showsCalls ? result : { ...result, calls: [], conversion: undefined });
}
