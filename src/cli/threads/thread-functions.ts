import type { WebhookOptions } from '../../client/options/webhook-options.js';
import type { CallPart } from '../../replay/replay-log.js';
import type { Tally } from '../../replay/tally.js';
import type { CoverageRow } from '../../suites/coverage.js';
import type { TestFailure } from '../../suites/results.js';
import type { RanCase } from '../../suites/run/ran-case.js';
import type { SnapshotMode } from '../../suites/snapshots/settle.js';
import type { Suite } from '../../suites/suite.js';
import type { ReplayOptions } from '../commands/replay/replay-options.js';
import type { SuiteFlags } from '../options/test-flags.js';
import type { NumberedResults, SharedCalls } from '../work/calls/shared-calls.js';
import type { CopiedBatch, SharedFiles } from '../work/calls/threads/file-batches.js';

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
  readonly processFlags: WebhookOptions | undefined;
  /** Number of cases that the thread runs at the same time. */
  readonly places: number;
}

/** Functions of a thread that runs cases. */
export interface ThreadFunctions {
  /** Opens a suite, and returns why that fails. */
  readonly open: (opened: SuiteForThread) => Promise<TestFailure | undefined>;
  /** Runs a case of the open suite when a place for it is free. */
  readonly run: (index: number) => Promise<RanCase>;
  /** Results of running cases are not written to snapshots, and those that wait for a place do not run. */
  readonly abort: () => Promise<void>;
  /** Closes the suite, and returns the coverage of its cases. */
  readonly close: () => Promise<readonly CoverageRow[]>;
  /** Replays a part of the calls of logs, and returns what it counted. */
  readonly replay: (options: ReplayOptions, part: CallPart & { readonly threads: number }) => Promise<Tally>;
  /** Returns what the replay of a part has counted so far; undefined before it has started. */
  readonly counted: () => Promise<Tally | undefined>;
  /** Makes a share of the calls of a command. Returns false if the input has changed. */
  readonly calls: (shared: SharedCalls) => Promise<boolean>;
  /** Reads a share of the files of a review, and makes their calls. */
  readonly files: (shared: SharedFiles) => Promise<void>;
}

/** Functions of the main thread, about the process of the open suite, see `StartedProcess`, and for the results of calls. */
export interface MainFunctions {
  readonly fault: (callFailed: boolean) => Promise<TestFailure | undefined>;
  readonly written: () => Promise<number>;
  readonly since: (written: number) => Promise<readonly string[]>;
  readonly made: (results: NumberedResults) => Promise<void>;
  readonly read: (batch: CopiedBatch) => Promise<void>;
}

/** What a main thread serves that is not asked for anything; each use replaces the functions that its threads call. */
export const unusedFunctions: MainFunctions = {
  fault: async () => undefined,
  written: async () => 0,
  since: async () => [],
  made: async () => {},
  read: async () => {},
};
