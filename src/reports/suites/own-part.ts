import type { SuiteResult, TestRun } from '../../suites/results.js';

/** The run without the cases of other shards, which are in the reports of those shards. */
export function ownPart(run: TestRun): TestRun {
  return { ...run, suites: run.suites.flatMap(suite => ownPartOf(suite) ?? []) };
}

/** The same for one suite; undefined when all its cases belong to other shards. */
export function ownPartOf(suite: SuiteResult): SuiteResult | undefined {
  const cases = suite.cases.filter(({ elsewhere }) => elsewhere !== true);
  const isOfOtherShard = cases.length === 0 && suite.cases.length > 0 && suite.error === undefined;
  return isOfOtherShard ? undefined : { ...suite, cases };
}
