import { CliError, type CliErrorCode, type Location } from '../../../client/cli-error.js';
import type { RenderedReport } from '../../../reports/report-stream.js';
import type { RenderedResult } from './rendered-results.js';

type Answer = Extract<RenderedResult, { readonly outcome: 'answered' }>;
type Unusable = Extract<RenderedResult, { readonly outcome: 'unusable' }>;

/** A rendered result of which only data is left: messages between threads copy neither functions nor classes. */
export type CopiedResult =
  | (Omit<Answer, 'report' | 'asOnlyFailure'> & {
      readonly report: Omit<RenderedReport, 'single'> & { readonly single: string | undefined };
      readonly asOnlyFailure: CopiedResult | undefined;
    })
  | (Omit<Unusable, 'error' | 'asOnlyFailure'> & { readonly error: CopiedError; readonly asOnlyFailure: CopiedResult | undefined })
  | Extract<RenderedResult, { readonly outcome: 'skipped' }>;

/** An error of which only data is left. */
export interface CopiedError {
  readonly code: CliErrorCode;
  readonly message: string;
  readonly location: Location | undefined;
  readonly suggestions: readonly string[];
  readonly others: readonly CopiedError[];
}

/** Returns a result for a message. */
export function copiedResult(result: RenderedResult): CopiedResult {
  if (result.outcome === 'skipped') return result;
  const asOnlyFailure = result.asOnlyFailure === undefined ? undefined : copiedResult(result.asOnlyFailure);
  if (result.outcome === 'unusable') return { ...result, asOnlyFailure, error: copiedError(result.error) };
  const { single, ...report } = result.report;
  return { ...result, asOnlyFailure, report: { ...report, single: single?.() } };
}

/** Returns the result of a message. */
export function resultOfCopy(copied: CopiedResult): RenderedResult {
  if (copied.outcome === 'skipped') return copied;
  const asOnlyFailure = copied.asOnlyFailure === undefined ? undefined : resultOfCopy(copied.asOnlyFailure);
  if (copied.outcome === 'unusable') return { ...copied, asOnlyFailure, error: errorOf(copied.error) };
  const { single, ...report } = copied.report;
  return { ...copied, asOnlyFailure, report: { ...report, single: single === undefined ? undefined : () => single } };
}

/** Returns an error for a message. */
export function copiedError({ code, message, location, suggestions, others }: CliError): CopiedError {
  return { code, message, location, suggestions, others: others.map(copiedError) };
}

/** Returns the error of a message. */
export function errorOf({ code, message, others, ...details }: CopiedError): CliError {
  return new CliError(code, message, { ...details, others: others.map(errorOf) });
}
