import type { SuiteResult, TestRun } from '../../suites/results.js';

/** The run without the cases that other shards run: each report is put together with theirs, and would have them many times over. */
export function ownPart(run: TestRun): TestRun {
  return { ...run, suites: run.suites.flatMap(suite => ownPartOf(suite) ?? []) };
}

/** The same of one suite; undefined when all its cases are others'. */
export function ownPartOf(suite: SuiteResult): SuiteResult | undefined {
  const cases = suite.cases.filter(({ elsewhere }) => elsewhere !== true);
  const isOthers = cases.length === 0 && suite.cases.length > 0 && suite.error === undefined;
  return isOthers ? undefined : { ...suite, cases };
}
