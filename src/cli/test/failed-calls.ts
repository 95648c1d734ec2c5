import { readUnstructured } from '../../encoding/unstructured.js';
import { stringAt } from '../../go/value.js';
import type { FailureClass } from '../../kubernetes/webhook-call.js';
import { expectsFailedCall, failedCalls } from '../../suites/evidence/failed-calls.js';
import { CaseFault } from '../../suites/faults.js';
import type { CaseCall, CaseOutput } from '../../suites/results.js';
import type { SuiteCase } from '../../suites/suite.js';
import { exitCodeOfFailure, exitCodes } from '../exit-codes.js';

/** Throws CaseFault when a webhook was unreachable or its answer invalid, unless the case expects that failure. */
export function refuseFailedCalls({ expect }: Pick<SuiteCase, 'expect'>, output: CaseOutput): void {
  const failed = failedCalls(output.calls).find(found => !expectsFailedCall(expect, found));
  if (failed === undefined) return;
  const { class: failureClass, message, why, try: advice } = failed.failure;
  const lines = [message, why, advice === '' ? '' : `try: ${advice}`];
  throw failedCallFault(failureClass, lines.filter(text => text !== '').join('\n'), output);
}

/** Returns the fault of a case whose webhook failed, with the way to expect it. */
export function failedCallFault(failureClass: FailureClass, message: string, output: CaseOutput): CaseFault {
  const check = exitCodeOfFailure[failureClass] === exitCodes.callFailed ? 'call' : 'answer';
  return new CaseFault(
    { check, message: `${message}\nif the failure is intended: expect: {failure: {class: ${failureClass}}}` },
    { output },
  );
}

/**
 * Throws CaseFault when the webhook of a URL answers the validating phase with a patch, which the API server ignores there: the phase of the
 * suite is probably wrong. In a webhook configuration the phase is the cluster's own.
 */
export function refuseWrongPhase(url: string | undefined, output: CaseOutput): void {
  if (url === undefined) return;
  const ignored = output.calls.find(
    ({ report }) => report.webhooks.length > 0 && report.webhooks.every(({ phase }) => phase === 'validating'),
  );
  if (ignored === undefined || !answersWithPatch(ignored)) return;
  const message = 'the webhook answers with a patch, which the validating phase ignores; write phase: mutating';
  throw new CaseFault({ check: 'input', message }, { output });
}

function answersWithPatch({ report }: CaseCall): boolean {
  return report.webhooks.some(({ outcome, exchange }) => {
    if (outcome !== 'allowed' || exchange?.answer.outcome !== 'answered') return false;
    return stringAt(readUnstructured(Buffer.from(exchange.answer.body).toString('utf8')), 'response', 'patch') !== '';
  });
}
