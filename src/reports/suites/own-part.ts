import type { TestRun } from '../../suites/results.js';

/** The run without the cases that other shards run: each report is put together with theirs, and would have them many times over. */
export function ownPart(run: TestRun): TestRun {
  if (run.shard === undefined) return run;
  const suites = run.suites.map(suite => ({ ...suite, cases: suite.cases.filter(({ elsewhere }) => elsewhere !== true) }));
  return { ...run, suites: suites.filter(({ cases, error }) => cases.length > 0 || error !== undefined) };
}
