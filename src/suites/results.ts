import type { Report } from '../apiserver/report/report.js';
import type { WebhookExchange } from '../kubernetes/webhook-call.js';
import type { ConversionRun } from './conversions/conversion-run.js';
import type { CoverageRow } from './coverage.js';
import type { SuitePlace } from './place.js';

/** One run of the `test` command: the input of every reporter and of `report merge`. */
export interface TestRun {
  readonly suites: readonly SuiteResult[];
  /** False when the run was interrupted: cases that did not run are `skipped`. */
  readonly complete: boolean;
  /** RFC 3339, UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** The shard of this run; absent if it had all cases. */
  readonly shard?: { readonly index: number; readonly count: number };
  /** Seed of random order and generated names: a run is reproducible with its seed. */
  readonly seed?: number;
  /** With `--check`: pending or obsolete snapshots fail the run. Absent: they do not. */
  readonly check?: boolean;
  /** Snapshots that belong to no case. */
  readonly obsolete: readonly ObsoleteSnapshot[];
  /** Assumptions and limitations, once for the whole run. */
  readonly notes: readonly string[];
  /** With `--coverage`: the parts of policies and webhook configurations that the cases reached. */
  readonly coverage?: readonly CoverageRow[];
}

/** One suite file, or one folder of manifests without suite files. */
export interface SuiteResult {
  readonly name: string;
  /** The suite file, or the folder. */
  readonly file: string;
  readonly cases: readonly CaseResult[];
  readonly durationMs: number;
  /** Why none of its cases could run, for example because the process under test did not start. */
  readonly error?: TestFailure;
}

/**
 * `passed`: all expectations hold. `failed`: the calls were made, and an expectation does not hold. `broken`: the calls could not be made
 * or evaluated. `skipped`: not run, or not completed (filtered, interrupted, after `--fail-fast`).
 */
export type CaseOutcome = 'passed' | 'failed' | 'broken' | 'skipped';

/** Output of a case. */
export interface CaseOutput {
  /** Its API calls, in order; empty for a skipped case or a conversion case. */
  readonly calls: readonly CaseCall[];
  /** For a conversion case that was not skipped. */
  readonly conversion?: CaseConversion | undefined;
}

export interface CaseResult extends CaseOutput {
  /** Unique in its suite; a matrix or a scenario adds its values, `privileged [operation=update]`. */
  readonly name: string;
  /** Position of the case in its suite file, or its manifest. */
  readonly place: SuitePlace;
  readonly outcome: CaseOutcome;
  /** Skipped because it belongs to another shard: every shard lists all cases, so that they can be merged. */
  readonly elsewhere?: boolean;
  /** It failed first, and passed when it was retried. */
  readonly flaky: boolean;
  /** Number of attempts; 0 if it was skipped. */
  readonly attempts: number;
  readonly durationMs: number;
  /** In the order of discovery; empty if it passed. For a flaky case: those of the first attempt. */
  readonly failures: readonly TestFailure[];
  readonly snapshot: SnapshotResult | undefined;
  readonly notes: readonly string[];
  /** The last lines that the process under test wrote while the case ran; only of a case that did not pass. */
  readonly webhookOutput?: readonly string[];
}

/** One API call of a case. */
export interface CaseCall {
  readonly report: Report;
  /** kubectl's output, line by line. */
  readonly kubectl: readonly string[];
  readonly exchanges: readonly WebhookExchange[];
  /** Its step, in a case with steps; numbers start at 1. */
  readonly step?: { readonly number: number; readonly name: string };
  /** Findings of the checks: each fails the case. */
  readonly findings?: readonly { readonly check: string; readonly webhook: string; readonly message: string }[];
}

/** Conversions of a conversion case. */
export interface CaseConversion extends ConversionRun {
  readonly exchanges: readonly WebhookExchange[];
}

export interface TestFailure {
  /** Stable id of the failed expectation: `allowed`, `code`, `message`, `warnings`, `snapshot`, `idempotent`, `exec` ... */
  readonly check: string;
  /** One sentence; for `snapshot` it names the first field that differs. */
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
  /** A unified diff, expected to actual, without colors. */
  readonly diff?: string;
  /** Position of the expectation. */
  readonly place?: SuitePlace;
}

/** `new`: no snapshot exists. `mismatched`: it differs. Both are written as a pending snapshot, or accepted with `--update`. */
export type SnapshotState = 'matched' | 'new' | 'mismatched';

export interface SnapshotResult {
  readonly state: SnapshotState;
  /** The snapshot's file. */
  readonly file: string;
  /** The file was written in this run. */
  readonly written: boolean;
  /** A unified diff from the stored to the produced document; all lines of a new one are added. */
  readonly diff?: string;
}

export interface ObsoleteSnapshot {
  readonly file: string;
  /** It was removed in this run. */
  readonly removed: boolean;
}
