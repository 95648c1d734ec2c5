import type { CaseOutcome, CaseOutput, TestFailure } from '../suites/results.js';
import type { TracedEntry } from './trace-data.js';

/** A case that was run, without its secrets. */
export interface TracedCase extends CaseOutput {
  readonly suite: string;
  readonly name: string;
  readonly outcome: CaseOutcome;
  /** More facts in one line. */
  readonly facts: string;
  readonly failures: readonly TestFailure[];
  readonly notes: readonly string[];
}

/** Returns the entry of a case with its calls. */
export function entryOfCase({ suite, name, outcome, facts, failures, notes, calls }: TracedCase): TracedEntry {
  return {
    ...{ name, group: suite, outcome, facts, notes, calls },
    failures: failures.map(({ check, message, expected, actual, diff }) => ({ check, message, expected, actual, diff })),
  };
}
