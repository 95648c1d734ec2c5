import type { CaseResult, TestRun } from '../../../suites/results.js';

/** Cases that passed and whose calls are in the report: each has about 50 kB, and a browser opens no page of 100 MB. */
const maxPassed = 200;

/** Returns the cases whose calls are in the report: all that did not pass, those that are flaky, and the first ones that passed. */
export function detailedCases({ suites }: TestRun): ReadonlySet<CaseResult> {
  const cases = suites.flatMap(suite => suite.cases);
  const isQuiet = ({ outcome, flaky }: CaseResult): boolean => outcome === 'passed' && !flaky;
  return new Set([...cases.filter(one => !isQuiet(one)), ...cases.filter(isQuiet).slice(0, maxPassed)]);
}
