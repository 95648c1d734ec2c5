import { isPresumedNamespace } from '../../../apiserver/endpoints/presumed-namespace.js';
import { CliError } from '../../../client/cli-error.js';
import type { CallReport } from '../../../client/run/call-report.js';
import type { StepResult } from '../../../client/run/step-result.js';
import { isTooDeep } from '../../../kubernetes/too-deep.js';
import type { RenderedReport, ReportStream } from '../../../reports/report-stream.js';
import { printable } from '../../../writers/printable.js';
import { hideSecretsInError } from '../../shell/error-without-secrets.js';
import { type ExitCode, exitCodeOfReport, exitCodes, gravestExitCode } from '../../shell/exit-codes.js';

export type Answered = Extract<StepResult, { readonly outcome: 'answered' }>;

/** How results become text. */
export interface ResultRendering {
  readonly stream: ReportStream<Answered>;
  /** Is there one result? Then the text of an item of a list is not needed. */
  readonly isOnlyOne?: boolean | undefined;
  /** Prints bodies as they are sent: their secrets are not redacted. */
  readonly showsBodies?: boolean | undefined;
  /** Prints kubectl's lines of refused calls to stderr: they are not part of the results. */
  readonly showsRefusals?: boolean | undefined;
}

/** What is printed of a result, without secrets. */
export type RenderedResult = (
  | {
      readonly outcome: 'answered';
      readonly isAllowed: boolean;
      readonly exitCode: ExitCode;
      readonly report: RenderedReport;
      /** Text for stderr. */
      readonly refusal: string | undefined;
    }
  | { readonly outcome: 'unusable'; readonly error: CliError }
  | { readonly outcome: 'skipped'; readonly reason: string }
) & {
  /** Is it one of kubectl's errors? */
  readonly isFailure: boolean;
  /** The same if no other call of the whole run fails. See `StepResult`. */
  readonly asOnlyFailure?: RenderedResult | undefined;
};

/** Renders results one after another. */
export async function* renderResults(results: AsyncIterable<StepResult>, rendering: ResultRendering): AsyncGenerator<RenderedResult> {
  for await (const result of results) {
    if (result.outcome === 'skipped') yield { ...result, isFailure: false };
    else if (result.outcome === 'unusable') yield { ...result, error: await hideSecretsInError(result.error), isFailure: true };
    else yield await renderAnswer(result, rendering);
  }
}

/** An object that is nested too deeply to be printed is an error. */
async function renderAnswer({ asOnlyFailure, ...result }: Answered, rendering: ResultRendering): Promise<RenderedResult> {
  const { stream, isOnlyOne = false, showsBodies = false, showsRefusals = false } = rendering;
  const isAllowed = result.report.report.decision.allowed;
  const only = asOnlyFailure === undefined ? undefined : await renderAnswer({ ...result, report: asOnlyFailure }, rendering);
  const made = { isFailure: !isAllowed, ...(only === undefined ? {} : { asOnlyFailure: only }) };
  try {
    const rendered = stream.render(showsBodies ? result : await hideSecretsInAnswer(result));
    // An item of a list is written here, where an object that cannot be written is the error of this result alone.
    const report = isOnlyOne ? rendered : { ...rendered };
    const refusal = showsRefusals && !isAllowed ? refusalText(await hideSecretsInAnswer(result)) : undefined;
    return { ...made, outcome: 'answered', isAllowed, exitCode: exitCodeOf(result.report), report, refusal };
  } catch (error) {
    if (!isTooDeep(error)) throw error;
    const { method, path } = result.planned.call;
    const message = `${method} ${path.split('?', 1)[0]}: an object is nested too deeply to be printed`;
    return { ...made, outcome: 'unusable', error: new CliError('not-there-yet', message, { cause: error }) };
  }
}

/** Returns kubectl's lines and the notes of a refused call. */
function refusalText({ report: { report, kubectl } }: Answered): string {
  const notes = report.notes.filter(note => !isPresumedNamespace(note)).map(note => `note: ${note}`);
  return `${printable([...kubectl, ...notes].join('\n'))}\n`;
}

/** Returns an answer without its secrets. The module is loaded here, because the first call takes longer than loading it. */
export async function hideSecretsInAnswer(result: Answered): Promise<Answered> {
  const { callWithoutSecrets } = await import('../../../suites/case-without-secrets.js');
  const { body } = result.planned.call;
  return { ...result, report: callWithoutSecrets(result.report, body === undefined ? '' : Buffer.from(body).toString('utf8')) };
}

function exitCodeOf({ report, findings }: CallReport): ExitCode {
  return gravestExitCode([exitCodeOfReport(report), findings.length > 0 ? exitCodes.refused : exitCodes.allowed]);
}
