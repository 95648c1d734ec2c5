import { existsSync } from 'node:fs';
import path from 'node:path';
import { systemReason } from '../../files/system-reason.js';
import type { Value } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { memoizeStrings } from '../../kubernetes/memoize.js';
import { asksForSnapshot, unmatchedScenario, untested, untestedFailures } from '../evidence/untested.js';
import { conversionFailures } from '../expectations/conversion-expectations.js';
import { CaseFault, CaseSkip } from '../faults.js';
import type { Recording } from '../recording.js';
import { recordingFailures } from '../recordings/recording-failures.js';
import type { CaseOutcome, CaseOutput, CaseResult, SnapshotResult, TestFailure } from '../results.js';
import { shownJson } from '../shown-json.js';
import { pendingEnding } from '../snapshot-name.js';
import { compareSnapshot, firstChangedLine, type SnapshotComparison } from '../snapshots/compare.js';
import { type SnapshotMode, settleSnapshot } from '../snapshots/settle.js';
import type { Suite, SuiteCase } from '../suite.js';
import { snapshotDocument } from './snapshot-document.js';
import { callFailures } from './steps.js';

/** Side effects and options of running a case. */
export interface CaseRunning {
  /** Makes the calls or conversions of a case. Throws CaseFault when that fails. */
  readonly make: (suiteCase: SuiteCase) => Promise<CaseOutput>;
  /** Returns the API server of a case. */
  readonly serverOf: (suiteCase: SuiteCase) => Promise<ApiServer>;
  /** Marks the output of the process under test; the result returns the last lines written since. */
  readonly watchOutput?: (() => () => Promise<readonly string[]>) | undefined;
  readonly mode: SnapshotMode;
  /** Whether a snapshot had a pending one at the start of the run. */
  readonly hasPending: (file: string) => boolean;
  /** Maximum number of retries of a failing case. */
  readonly retries: number;
  readonly now: () => Date;
  /** Monotonic clock, in milliseconds. */
  readonly elapsedMs: () => number;
  /** Base directory of relative paths. */
  readonly cwd: string;
  /** Aborted: results of interrupted calls are not written to snapshots. */
  readonly signal: AbortSignal;
}

/** Runs a case, with retries while it fails, and updates its snapshot from the last attempt. Throws errors other than CaseFault. */
export async function runCase(suite: Suite, suiteCase: SuiteCase, running: CaseRunning): Promise<CaseResult> {
  const start = running.elapsedMs();
  const file = snapshotFile(suite, suiteCase, running.cwd);
  const outputSince = running.watchOutput?.();
  const first = await attempt(suiteCase, file, running);
  let last = first;
  let attempts = 1;
  for (; isRetryable(last) && attempts <= running.retries && !running.signal.aborted; attempts += 1) {
    last = await attempt(suiteCase, file, running);
  }
  const settled = await settle(file, last, running);
  const outcome = settled.fault === undefined ? last.outcome : 'broken';
  const flaky = attempts > 1 && outcome === 'passed';
  const webhookOutput = outcome === 'passed' || outcome === 'skipped' ? [] : ((await outputSince?.()) ?? []);
  return {
    name: suiteCase.name,
    place: suiteCase.place,
    outcome,
    flaky,
    attempts: outcome === 'skipped' ? 0 : attempts,
    failures: flaky ? first.failures : failuresOf(last, settled),
    snapshot: settled.snapshot,
    ...last.output,
    notes: last.reason === undefined ? notesOf(last.output) : [last.reason],
    durationMs: running.elapsedMs() - start,
    ...(webhookOutput.length === 0 ? {} : { webhookOutput }),
  };
}

/** A snapshot that could not be written cannot be accepted. */
function failuresOf({ failures }: Attempt, { fault }: Settled): readonly TestFailure[] {
  return fault === undefined ? failures : [...failures.filter(failure => !asksForSnapshot(failure)), fault];
}

function notesOf({ calls, conversion }: CaseOutput): string[] {
  return [...new Set([...calls.flatMap(({ report }) => report.notes), ...(conversion?.notes ?? [])])];
}

interface Attempt {
  readonly outcome: CaseOutcome;
  readonly failures: readonly TestFailure[];
  readonly output: CaseOutput;
  readonly comparison: SnapshotComparison | undefined;
  /** Reason why it was skipped. */
  readonly reason?: string;
}

async function attempt(suiteCase: SuiteCase, file: SnapshotFile | undefined, running: CaseRunning): Promise<Attempt> {
  const from = running.now();
  try {
    const output = await running.make(suiteCase);
    const comparison = file === undefined ? undefined : comparisonOf(suiteCase, file, { output, period: { from, to: running.now() } });
    const unmatched = unmatchedScenario(suiteCase, output);
    // A stored snapshot is compared in any case: rules that no longer match are a change.
    if (unmatched !== undefined && (comparison === undefined || comparison.state === 'new')) return skippedFor(unmatched);
    const recorded =
      suiteCase.recording === undefined ? [] : await compareWithRecording(suiteCase.recording, { suiteCase, output, running });
    const unmet = [...recorded, ...unmetBy(output, suiteCase)];
    const accepted = running.mode === 'update' && unmet.length === 0;
    const unequal = file === undefined || comparison === undefined || accepted ? [] : snapshotFailures(file, comparison, running);
    const failures = [...unmet, ...unequal];
    if (failures.length > 0) return { outcome: 'failed', failures, output, comparison };
    const unproven = untestedFailures(suiteCase, { output, snapshot: comparison?.state, mode: running.mode });
    return { outcome: unproven.length === 0 ? 'passed' : 'broken', failures: unproven, output, comparison };
  } catch (error) {
    if (error instanceof CaseSkip) return skippedFor(error.message);
    if (!(error instanceof CaseFault)) throw error;
    return { outcome: 'broken', failures: [error.failure], output: error.output, comparison: undefined };
  }
}

function skippedFor(reason: string): Attempt {
  return { outcome: 'skipped', failures: [], output: { calls: [] }, comparison: undefined, reason };
}

/** Differences from the recorded answer, which only the API server of the case can compare. */
async function compareWithRecording(
  recording: Recording,
  { suiteCase, output, running }: { readonly suiteCase: SuiteCase; readonly output: CaseOutput; readonly running: CaseRunning },
): Promise<TestFailure[]> {
  return recordingFailures(await running.serverOf(suiteCase), recording, output, suiteCase.place);
}

/** Expectations of the case that do not hold. */
function unmetBy({ calls, conversion }: CaseOutput, suiteCase: SuiteCase): TestFailure[] {
  return conversion === undefined ? callFailures(suiteCase, calls) : conversionFailures(suiteCase.conversion ?? {}, conversion);
}

/** An input error is not retried. */
function isRetryable({ outcome, failures }: Attempt): boolean {
  return outcome !== 'passed' && outcome !== 'skipped' && !failures.some(({ check }) => check === 'input' || check === untested);
}

interface SnapshotFile {
  /** Relative to the working directory. */
  readonly file: string;
  readonly absolute: string;
  /** The shared snapshot that is used if the file does not exist. */
  readonly shared: string | undefined;
}

/** Undefined if the case has no snapshot. */
function snapshotFile(suite: Suite, { snapshot, sharedSnapshot }: SuiteCase, cwd: string): SnapshotFile | undefined {
  if (snapshot === undefined) return undefined;
  const { folder } = suite.snapshots;
  const absolute = resolvedIn(cwd)(folder);
  const shared = sharedSnapshot === undefined ? undefined : path.join(absolute, sharedSnapshot);
  return { file: path.join(folder, snapshot), absolute: absolute + path.sep + snapshot, shared };
}

/** All snapshots of a suite are in one folder; resolving paths takes longer than reading them. */
const resolvedIn = memoizeStrings(10, cwd => memoizeStrings(100, folder => path.resolve(cwd, folder)));

function comparisonOf(
  suiteCase: SuiteCase,
  { file, absolute, shared }: SnapshotFile,
  { output, period }: { readonly output: CaseOutput; readonly period: { from: Date; to: Date } },
): SnapshotComparison {
  const compared = comparedWith({ file, absolute, shared }, snapshotDocument(suiteCase, output, period));
  if (!('message' in compared)) return compared;
  const { message, line, suggestion } = compared;
  throw new CaseFault({ check: 'input', message: `the snapshot ${message}; ${suggestion}`, place: { file, line } }, { output });
}

function snapshotFailures(
  { file, absolute }: SnapshotFile,
  { state, difference, diff }: SnapshotComparison,
  { mode, hasPending }: CaseRunning,
): TestFailure[] {
  if (state === 'mismatched' && difference !== undefined && diff !== undefined) {
    const { path: field, expected, actual } = difference;
    const message = `${field} differs from the snapshot: ${shownJson(actual, expected)} instead of ${shownJson(expected, actual)}`;
    return [{ check: 'snapshot', message, diff, place: { file, ...lineOf(diff) }, ...given({ expected, actual }) }];
  }
  if (mode !== 'check') return [];
  // The file does not exist: the place is that of the case.
  if (state === 'new') return [{ check: 'snapshot', message: `missing snapshot ${file}: --check does not write it` }];
  if (!hasPending(absolute)) return [];
  return [{ check: 'snapshot', message: 'a pending snapshot needs a decision', place: { file: file + pendingEnding } }];
}

function lineOf(diff: string): { readonly line?: number } {
  const line = firstChangedLine(diff);
  return line === undefined ? {} : { line };
}

function given(texts: {
  readonly expected: string | undefined;
  readonly actual: string | undefined;
}): Pick<TestFailure, 'expected' | 'actual'> {
  return {
    ...(texts.expected === undefined ? {} : { expected: texts.expected }),
    ...(texts.actual === undefined ? {} : { actual: texts.actual }),
  };
}

interface Settled {
  readonly snapshot: SnapshotResult | undefined;
  /** Reason why a file could not be written. */
  readonly fault?: TestFailure;
}

async function settle(snapshot: SnapshotFile | undefined, last: Attempt, { mode, hasPending, signal }: CaseRunning): Promise<Settled> {
  if (snapshot === undefined || last.comparison === undefined || signal.aborted) return { snapshot: undefined };
  const { file, absolute } = snapshot;
  const { state, diff } = last.comparison;
  const result = { state, file, ...(diff === undefined ? {} : { diff }) };
  try {
    const written = await settleSnapshot(absolute, last.comparison, { mode, accept: last.outcome === 'passed', hasPending });
    return { snapshot: { ...result, written } };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    const message = `the snapshot cannot be written: ${systemReason(error)}`;
    return { snapshot: { ...result, written: false }, fault: { check: 'write', message, place: { file } } };
  }
}

/** Compares a snapshot, if its file is readable. Throws CaseFault. */
function comparedWith({ file, absolute, shared }: SnapshotFile, document: Value): ReturnType<typeof compareSnapshot> {
  try {
    return compareSnapshot(comparedFile(absolute, shared), document);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new CaseFault(
      { check: 'input', message: `the snapshot cannot be read: ${systemReason(error)}`, place: { file } },
      { cause: error },
    );
  }
}

/** Returns the file to compare with: the case's own snapshot or pending snapshot, otherwise the shared one. */
function comparedFile(own: string, shared: string | undefined): string {
  if (shared === undefined || existsSync(own)) return own;
  return [shared, shared + pendingEnding].find(file => existsSync(file)) ?? own;
}
