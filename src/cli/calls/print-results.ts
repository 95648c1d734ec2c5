import type { CallReport } from '../../client/call-report.js';
import { CliError } from '../../client/cli-error.js';
import type { StepResult } from '../../client/step-result.js';
import { isMap, toValue, type ValueMap } from '../../go/value.js';
import { isTooDeep } from '../../kubernetes/too-deep.js';
import { printable } from '../../reports/printable.js';
import type { ReportStream } from '../../reports/report-stream.js';
import { errorWithoutSecrets } from '../error-without-secrets.js';
import { type ExitCode, exitCodeOfError, exitCodeOfReport, exitCodes, gravestExitCode } from '../exit-codes.js';
import { turnEvery } from '../idle-turns.js';
import { errorDocument, sentenceOf } from '../print-error.js';
import type { Surroundings } from '../surroundings.js';
import { callProgress } from './call-progress.js';

export type Answered = Extract<StepResult, { readonly outcome: 'answered' }>;

/** Signals are handled between turns of the event loop, which results that need no webhook would never end. */
const maxTurnMs = 100;

/** How the results of a command are printed. */
export interface Printing {
  /** Number of results to expect. */
  readonly total: number;
  readonly stream: ReportStream<Answered>;
  /** Prints bodies as they are sent: their secrets are not redacted. */
  readonly showsBodies?: boolean;
  /** Prints kubectl's lines of refused calls to stderr: they are not part of the results. */
  readonly showsRefusals?: boolean;
}

/**
 * Prints results as they arrive, then the errors for unusable input, then a summary; returns the exit code. Throws CliError when there is
 * no result and only one error.
 */
export async function printResults(
  results: AsyncIterable<StepResult>,
  { total, stream, showsBodies = false, showsRefusals = false }: Printing,
  surroundings: Pick<Surroundings, 'stdout' | 'stderr' | 'env' | 'onInterrupt'>,
): Promise<ExitCode> {
  const { stdout, stderr } = surroundings;
  const counts = { allowed: 0, refused: 0, unusable: 0 };
  const codes = new Set<ExitCode>();
  const errors = new Map<string, CliError>();
  const skipped: string[] = [];
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
        const error = await errorWithoutSecrets(result.error);
        const sentence = sentenceOf(error);
        if (!errors.has(sentence)) errors.set(sentence, error);
      } else if (result.outcome === 'skipped') skipped.push(result.reason);
      else {
        const { report } = result;
        const text = await textOf(stream, result, showsBodies);
        if (text instanceof CliError) {
          counts.unusable += 1;
          codes.add(exitCodeOfError(text));
          errors.set(sentenceOf(text), text);
          continue;
        }
        counts[report.report.decision.allowed ? 'allowed' : 'refused'] += 1;
        codes.add(exitCodeOf(report));
        progress.clear();
        stdout.write(text);
        if (showsRefusals && !report.report.decision.allowed)
          stderr.write(`${printable((await withoutSecrets(result)).report.kubectl.join('\n'))}\n`);
      }
      progress.show(counts.allowed + counts.refused + counts.unusable + skipped.length, counts.refused);
    }
  } finally {
    progress.clear();
    forget();
  }
  if (counts.allowed + counts.refused === 0) throwOnlyReason([...errors.values()], skipped);
  stdout.write(stream.end(documentsOf([...errors.values()])));
  for (const reason of skipped) stderr.write(`warning: ${printable(reason)}\n`);
  for (const sentence of errors.keys()) stderr.write(`${sentence}\n`);
  if (showsRefusals) printRest(counts, stderr);
  else if (counts.allowed + counts.refused + counts.unusable > 1) stderr.write(`${summaryOf(counts)}\n`);
  return gravestExitCode([...codes]);
}

/** Returns the text of a result; an error for an object that is nested too deeply to be printed. */
async function textOf(stream: ReportStream<Answered>, result: Answered, showsBodies: boolean): Promise<string | CliError> {
  try {
    return stream.next(showsBodies ? result : await withoutSecrets(result));
  } catch (error) {
    if (!isTooDeep(error)) throw error;
    const { method, path } = result.planned.call;
    return new CliError('not-there-yet', `${method} ${path.split('?', 1)[0]}: an object is nested too deeply to be printed`, {
      cause: error,
    });
  }
}

/** Loaded here, because the first call takes longer than loading it. */
async function withoutSecrets(result: Answered): Promise<Answered> {
  const { callWithoutSecrets } = await import('../../suites/case-without-secrets.js');
  const { body } = result.planned.call;
  return { ...result, report: callWithoutSecrets(result.report, body === undefined ? '' : Buffer.from(body).toString('utf8')) };
}

function exitCodeOf({ report, findings }: CallReport): ExitCode {
  return gravestExitCode([exitCodeOfReport(report), findings.length > 0 ? exitCodes.refused : exitCodes.allowed]);
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
  return `${calls} call${calls === 1 ? '' : 's'}: ${parts.join(', ')}`;
}

function documentsOf(errors: readonly CliError[]): ValueMap[] {
  return errors.map(error => toValue(errorDocument(error))).filter(isMap);
}
