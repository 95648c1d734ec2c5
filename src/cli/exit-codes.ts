import type { WebhookReport } from '../apiserver/admission/webhook-report.js';
import type { Report } from '../apiserver/report.js';
import { stringAt } from '../go/value.js';
import type { FailureClass } from '../kubernetes/webhook-call.js';

/** The exit codes that scripts may rely on: the table of the README. */
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

/** What these calls say together: the gravest code that occurred; 0 when every call was allowed. The output format never matters. */
export function exitCodeOfReports(reports: readonly Report[]): ExitCode {
  return gravestExitCode(reports.map(exitCodeOfReport));
}

/** The first of 70, 6, 3, 4, 5, 1 that occurred; an interruption or wrong usage before all of them; 0 for none. */
export function gravestExitCode(codes: readonly ExitCode[]): ExitCode {
  return byGravity.find(code => codes.includes(code)) ?? exitCodes.allowed;
}

/** 0: allowed. 4: a webhook could not be called. 5: its answer is not valid. 1: any other refusal. */
export function exitCodeOfReport(report: Report): ExitCode {
  if (report.decision.allowed) return exitCodes.allowed;
  const deciding = decidingWebhook(report);
  return deciding === undefined ? exitCodes.refused : exitCodeOfWebhook(deciding);
}

const byGravity: readonly ExitCode[] = [130, 143, 70, 2, 6, 3, 4, 5, 1];

/** Validating webhooks run side by side and several may refuse: the one whose words the client gets decides. */
function decidingWebhook(report: Report): WebhookReport | undefined {
  const refusing = report.webhooks.filter(refuses);
  const message = stringAt(report.decision.status, 'message');
  return refusing.find(entry => message.includes(JSON.stringify(entry.webhook))) ?? refusing[0];
}

function refuses({ outcome, failurePolicy }: WebhookReport): boolean {
  return outcome === 'denied' || outcome === 'internalError' || (outcome === 'callFailed' && failurePolicy === 'Fail');
}

function exitCodeOfWebhook({ outcome, failure }: WebhookReport): ExitCode {
  if (outcome === 'denied') return exitCodes.refused;
  if (failure !== undefined) return exitCodeOfFailure[failure.class];
  // Without a failure nothing was wrong with the call itself: a dry run against side effects is a refusal.
  return outcome === 'callFailed' ? exitCodes.callFailed : exitCodes.refused;
}

/** The code for a call that failed this way, when that fails the request. */
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
