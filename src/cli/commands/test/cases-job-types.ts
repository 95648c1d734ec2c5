import type { WebhookFlagOptions } from '../../../client/options/webhook-options.js';
import type { CoverageRow } from '../../../suites/coverage.js';
import type { TestFailure } from '../../../suites/results.js';
import type { RanCase } from '../../../suites/run/ran-case.js';
import type { SnapshotMode } from '../../../suites/snapshots/settle.js';
import type { Suite } from '../../../suites/suite.js';
import type { SuiteFlags } from '../../options/test-flags.js';

/** Options of a run that apply in every thread. */
export interface ThreadOptions {
  readonly flags: SuiteFlags;
  readonly given: ReadonlySet<string>;
  readonly mode: SnapshotMode;
  readonly retries: number;
  /** Whether a report shows the calls of cases. */
  readonly showsCalls: boolean;
  readonly recordsSteps: boolean;
  readonly coverage: boolean;
}

/** A suite that the main thread has opened. */
export interface SuiteForThread extends ThreadOptions {
  readonly suite: Suite;
  /** Flags of its running process; undefined without one. */
  readonly processFlags: WebhookFlagOptions | undefined;
  /** Number of cases that the thread runs at the same time. */
  readonly places: number;
}

/** The job of running cases. */
export interface CasesJob {
  /** Opens a suite, and returns why that fails. */
  readonly open: (opened: SuiteForThread) => Promise<TestFailure | undefined>;
  /** Runs a case of the open suite when a place for it is free. */
  readonly run: (index: number) => Promise<RanCase>;
  /** Results of running cases are not written to snapshots, and those that wait for a place do not run. */
  readonly abort: () => Promise<void>;
  /** Closes the suite, and returns the coverage of its cases. */
  readonly close: () => Promise<readonly CoverageRow[]>;
}

/** What the job of running cases asks of the main thread: about the process of the open suite, see `StartedProcess`. */
export interface CasesMain {
  readonly fault: (callFailed: boolean) => Promise<TestFailure | undefined>;
  readonly written: () => Promise<number>;
  readonly since: (written: number) => Promise<readonly string[]>;
}
