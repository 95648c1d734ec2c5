import type { Report } from '../apiserver/report.js';
import type { WebhookAnswer, WebhookCall } from '../kubernetes/webhook-call.js';
import type { ConversionRun } from './conversions/conversion-run.js';
import type { CoverageRow } from './coverage.js';

/** A place in a file, lines and columns counted from 1. */
export interface Place {
  /** As the user named it, or relative to the working folder. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** One run of the `test` command: what every reporter prints, and what `report merge` joins again. */
export interface TestRun {
  readonly suites: readonly SuiteResult[];
  /** False when the run was interrupted: cases that never ran are `skipped`. */
  readonly complete: boolean;
  /** RFC 3339, UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** Which part of all cases this was; absent when it was all of them. */
  readonly shard?: { readonly index: number; readonly count: number };
  /** The seed of random order and generated names: the same seed gives the same run. */
  readonly seed?: number;
  /** With `--check`: snapshots that are pending or obsolete fail the run. Absent: they do not. */
  readonly check?: boolean;
  /** Snapshots that no case asked for. */
  readonly obsolete: readonly ObsoleteSnapshot[];
  /** What was presumed or cannot be said, once for the whole run. */
  readonly notes: readonly string[];
  /** With `--coverage`: what the cases reached of policies and webhook configurations. */
  readonly coverage?: readonly CoverageRow[];
}

/** One suite file, or one folder of manifests without any. */
export interface SuiteResult {
  readonly name: string;
  /** The suite file, or the folder. */
  readonly file: string;
  readonly cases: readonly CaseResult[];
  readonly durationMs: number;
  /** Why no case of it could run: the process under test never came up, say. */
  readonly error?: TestFailure;
}

/**
 * `passed`: everything as expected. `failed`: the calls were made, and something differs. `broken`: the calls could not be made or judged.
 * `skipped`: it was not run, or not to its end (filtered, interrupted, after `--fail-fast`).
 */
export type CaseOutcome = 'passed' | 'failed' | 'broken' | 'skipped';

/** What a case led to. */
export interface CaseOutput {
  /** Its API calls, in order; empty when it was skipped or converts. */
  readonly calls: readonly CaseCall[];
  /** Of a case that converts, when it was not skipped. */
  readonly conversion?: CaseConversion | undefined;
}

export interface CaseResult extends CaseOutput {
  /** Unique in its suite; a matrix or a scenario adds its values, `privileged [operation=update]`. */
  readonly name: string;
  /** The case in its suite file, or its manifest. */
  readonly place: Place;
  readonly outcome: CaseOutcome;
  /** It is another shard's, and skipped here: every shard lists all cases, so that they can be put together again. */
  readonly elsewhere?: boolean;
  /** It failed first and passed when it was tried again. */
  readonly flaky: boolean;
  /** How often it was run; 0 when it was skipped. */
  readonly attempts: number;
  readonly durationMs: number;
  /** In the order they were found; empty when it passed. Of a flaky case: those of the first attempt. */
  readonly failures: readonly TestFailure[];
  readonly snapshot: SnapshotResult | undefined;
  readonly notes: readonly string[];
}

/** A review as it was sent and what came back. */
export interface CaseExchange {
  readonly call: WebhookCall;
  readonly answer: WebhookAnswer;
}

/** One API call of a case. */
export interface CaseCall {
  readonly report: Report;
  /** What kubectl would print, line by line. */
  readonly kubectl: readonly string[];
  readonly exchanges: readonly CaseExchange[];
  /** What further questions about it brought to light: each fails the case. */
  readonly findings?: readonly { readonly check: string; readonly webhook: string; readonly message: string }[];
}

/** What a case that converts made of its objects. */
export interface CaseConversion extends ConversionRun {
  readonly exchanges: readonly CaseExchange[];
}

export interface TestFailure {
  /** What did not hold, a stable word: `allowed`, `code`, `message`, `warnings`, `snapshot`, `idempotent`, `exec` ... */
  readonly check: string;
  /** One sentence; for `snapshot` it names the first field that differs. */
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
  /** A unified diff, expected to actual, without colours. */
  readonly diff?: string;
  /** Where the expectation stands. */
  readonly place?: Place;
}

/** `new`: there was none. `mismatched`: it differs. Both lie beside it as a pending one, or were written with `--update`. */
export type SnapshotState = 'matched' | 'new' | 'mismatched';

export interface SnapshotResult {
  readonly state: SnapshotState;
  /** The snapshot's file. */
  readonly file: string;
  /** The file was written in this run. */
  readonly written: boolean;
  /** A unified diff of the two documents, stored to produced; of a new one, all of it is added. */
  readonly diff?: string;
}

export interface ObsoleteSnapshot {
  readonly file: string;
  /** It was removed in this run. */
  readonly removed: boolean;
}
