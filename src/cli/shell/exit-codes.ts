import type { WebhookReport } from '../../apiserver/admission/webhook-report.js';
import type { Report } from '../../apiserver/report/report.js';
import type { CliError, CliErrorCode } from '../../client/cli-error.js';
import type { FailureClass } from '../../kubernetes/webhook-call.js';

/** Exit codes, a contract with scripts: the table of the README. */
export const exitCodes = {
  allowed: 0,
  refused: 1,
  usage: 2,
  input: 3,
  callFailed: 4,
  answerInvalid: 5,
  writeFailed: 6,
  bug: 70,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Returns the exit code of a user mistake. */
export function exitCodeOfError({ code }: CliError): ExitCode {
  return exitCodesOfErrors[code];
}

const exitCodesOfErrors = {
  usage: exitCodes.usage,
  'not-there-yet': exitCodes.usage,
  'unreadable-file': exitCodes.input,
  'invalid-syntax': exitCodes.input,
  'invalid-manifest': exitCodes.input,
  'unknown-kind': exitCodes.input,
  'no-objects': exitCodes.input,
  'incomplete-state': exitCodes.input,
  'invalid-configuration': exitCodes.input,
  'invalid-certificate': exitCodes.input,
  'invalid-kubeconfig': exitCodes.input,
  'cluster-unreachable': exitCodes.input,
  'cluster-refused': exitCodes.input,
  'forward-failed': exitCodes.callFailed,
  'write-failed': exitCodes.writeFailed,
} satisfies Record<CliErrorCode, ExitCode>;

/** Returns the gravest exit code: interruption, then 70, 2, 6, 3, 4, 5, 1; 0 for none. */
export function gravestExitCode(codes: readonly ExitCode[]): ExitCode {
  return byGravity.find(code => codes.includes(code)) ?? exitCodes.allowed;
}

/** Returns 0 when the call was allowed, 4 when a webhook could not be called, 5 when its answer is invalid, 1 for any other refusal. */
export function exitCodeOfReport(report: Report): ExitCode {
  if (report.decision.allowed) return exitCodes.allowed;
  const { decidedBy } = report.decision;
  const deciding = decidedBy === undefined ? undefined : report.webhooks[decidedBy];
  return deciding === undefined ? exitCodes.refused : exitCodeOfWebhook(deciding);
}

const byGravity: readonly ExitCode[] = [130, 143, 70, 2, 6, 3, 4, 5, 1];

function exitCodeOfWebhook({ outcome, failure }: WebhookReport): ExitCode {
  if (outcome === 'denied') return exitCodes.refused;
  if (failure !== undefined) return exitCodeOfFailure[failure.class];
  // A dry run against side effects fails without a call: a refusal.
  return outcome === 'callFailed' ? exitCodes.callFailed : exitCodes.refused;
}

/** Exit codes of failed webhook calls that fail the request. */
export const exitCodeOfFailure = {
  dns: exitCodes.callFailed,
  tcp: exitCodes.callFailed,
  tls: exitCodes.callFailed,
  http: exitCodes.callFailed,
  time: exitCodes.callFailed,
  body: exitCodes.answerInvalid,
  review: exitCodes.answerInvalid,
  patch: exitCodes.answerInvalid,
  limit: exitCodes.answerInvalid,
} satisfies Record<FailureClass, ExitCode>;
