import { CliError } from '../../../client/cli-error.js';
import { yieldOnceFinal } from '../../../client/run/results-in-order.js';
import type { StepResult } from '../../../client/run/step-result.js';
import { isMap, toValue, type ValueMap } from '../../../go/value.js';
import { counted } from '../../../kubernetes/counted.js';
import { longRunMs, progressLine } from '../../../reports/suites/progress-line.js';
import { monotonicMs } from '../../../transport/clock.js';
import { printable } from '../../../writers/printable.js';
import { type ExitCode, exitCodeOfError, gravestExitCode } from '../../shell/exit-codes.js';
import { turnEvery } from '../../shell/idle-turns.js';
import { errorDocument, sentenceOf } from '../../shell/print-error.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { type RenderedResult, type ResultRendering, renderResults } from './rendered-results.js';

/** Signals are handled between turns of the event loop, which results that need no webhook would never end. */
const maxTurnMs = 100;

/** How the results of a command are printed. */
export interface Printing extends ResultRendering {
  /** Number of results to expect. */
  readonly total: number;
}

/** Returns the results of several threads as soon as they are final: the text of some differs for the only failure of a run. */
export function yieldFinalResults(made: AsyncIterable<RenderedResult>): AsyncGenerator<RenderedResult> {
  return yieldOnceFinal(made, {
    isFailure: ({ isFailure }) => isFailure,
    waitsForOthers: ({ asOnlyFailure }) => asOnlyFailure !== undefined,
    final: (result, isOnly) => (isOnly ? (result.asOnlyFailure ?? result) : result),
  });
}

type PrintSurroundings = Pick<Surroundings, 'stdout' | 'stderr' | 'env' | 'onInterrupt'>;

/**
 * Prints results as they arrive, then the errors for unusable input, then a summary; returns the exit code. Throws CliError when there is
 * no result and only one error.
 */
export function printResults(results: AsyncIterable<StepResult>, printing: Printing, surroundings: PrintSurroundings): Promise<ExitCode> {
  return printRendered(renderResults(results, printing), printing, surroundings);
}

/** Prints rendered results in the same way. */
export async function printRendered(
  results: AsyncIterable<RenderedResult>,
  { total, stream, showsRefusals = false }: Printing,
  surroundings: PrintSurroundings,
): Promise<ExitCode> {
  const { stdout, stderr } = surroundings;
  const counts = { allowed: 0, refused: 0, unusable: 0 };
  const codes = new Set<ExitCode>();
  const errors = new Map<string, CliError>();
  const skipped: string[] = [];
  const remarks = new Set<string>();
  const progress = callProgress(total, surroundings);
  // An interrupted document is left incomplete.
  const forget = surroundings.onInterrupt(async () => {
    progress.clear();
    stdout.write(stream.end(documentsOf([...errors.values()])));
  });
  try {
    const passTurn = turnEvery(maxTurnMs);
    for await (const result of results) {
      await passTurn();
      if (result.outcome === 'unusable') {
        counts.unusable += 1;
        codes.add(exitCodeOfError(result.error));
        const sentence = sentenceOf(result.error);
        if (!errors.has(sentence)) errors.set(sentence, result.error);
      } else if (result.outcome === 'skipped') skipped.push(result.reason);
      else {
        counts[result.isAllowed ? 'allowed' : 'refused'] += 1;
        codes.add(result.exitCode);
        progress.clear();
        stdout.write(stream.next(result.report));
        for (const remark of result.report.remarks ?? []) remarks.add(remark);
        if (result.refusal !== undefined) stderr.write(result.refusal);
      }
      progress.show(counts.allowed + counts.refused + counts.unusable + skipped.length, counts.refused);
    }
  } finally {
    progress.clear();
    forget();
  }
  if (counts.allowed + counts.refused === 0) throwOnlyReason([...errors.values()], skipped);
  stdout.write(stream.end(documentsOf([...errors.values()])));
  for (const remark of remarks) stderr.write(`note: ${remark}\n`);
  for (const reason of skipped) stderr.write(`warning: ${printable(reason)}\n`);
  for (const sentence of errors.keys()) stderr.write(`${sentence}\n`);
  if (showsRefusals) printRest(counts, stderr);
  else if (counts.allowed + counts.refused + counts.unusable > 1) stderr.write(`${summaryOf(counts)}\n`);
  return gravestExitCode([...codes]);
}

function throwOnlyReason(errors: readonly CliError[], [skipped]: readonly string[]): void {
  const [only, second] = errors;
  if (only !== undefined && second === undefined) throw only;
  if (only !== undefined || skipped === undefined) return;
  throw new CliError('no-objects', skipped, {
    suggestions: ['pass a Deployment, ReplicaSet, StatefulSet, DaemonSet, Job or CronJob that requests pods'],
  });
}

/** Nothing was sent, and so nothing is known about the calls but that the API server itself refuses some. */
function printRest({ refused, unusable, allowed }: Counts, stderr: Pick<Surroundings['stderr'], 'write'>): void {
  const parts = [...(refused === 0 ? [] : [`${refused} refused`]), ...(unusable === 0 ? [] : [`${unusable} unusable`])];
  const calls = allowed + refused + unusable;
  if (calls > 1 && parts.length > 0) stderr.write(`${calls} calls: ${parts.join(', ')}\n`);
}

type Counts = Readonly<Record<'allowed' | 'refused' | 'unusable', number>>;

/** `214 calls: 200 allowed, 9 refused, 5 unusable` */
function summaryOf({ allowed, refused, unusable }: Counts): string {
  const calls = allowed + refused + unusable;
  const parts = [`${allowed} allowed`, `${refused} refused`, ...(unusable === 0 ? [] : [`${unusable} unusable`])];
  return `${counted(calls, 'call')}: ${parts.join(', ')}`;
}

function documentsOf(errors: readonly CliError[]): ValueMap[] {
  return errors.map(error => toValue(errorDocument(error))).filter(isMap);
}

interface CallProgress {
  readonly show: (done: number, refused: number) => void;
  /** Clears the line before results are written. */
  readonly clear: () => void;
}

const lineWidth = 80;

/** Faster updates cannot be read. */
const intervalMs = 100;

/** Shows how many calls of a long run are done in one line of a terminal; does nothing elsewhere, and for a single call. */
function callProgress(total: number, { stderr, env }: Pick<Surroundings, 'stderr' | 'env'>): CallProgress {
  if (total < 2 || !stderr.isTerminal || env['TERM'] === 'dumb' || (env['CI'] ?? '') !== '') return { show: () => {}, clear: () => {} };
  const start = monotonicMs();
  let shownAt = start + longRunMs - intervalMs;
  let isShown = false;
  return {
    show: (done, refused) => {
      if (monotonicMs() - shownAt < intervalMs) return;
      shownAt = monotonicMs();
      isShown = true;
      const perSecond = done / ((shownAt - start) / 1000);
      stderr.write(`\r\u001b[2K${progressLine({ done, total, failed: refused, perSecond, current: 'calls' }, lineWidth)}`);
    },
    clear: () => {
      if (isShown) stderr.write('\r\u001b[2K');
      isShown = false;
    },
  };
}
