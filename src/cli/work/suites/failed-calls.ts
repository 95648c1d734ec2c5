import type { FailureClass } from '../../../kubernetes/webhook-call.js';
import { expectsFailedCall, failedCalls } from '../../../suites/expectations/failed-calls.js';
import { CaseFault } from '../../../suites/faults.js';
import type { CaseOutput } from '../../../suites/results.js';
import { expectationFor, stepText } from '../../../suites/run/steps.js';
import type { SuiteCase } from '../../../suites/suite.js';
import { exitCodeOfFailure, exitCodes } from '../../shell/exit-codes.js';

/** Throws CaseFault when a webhook was unreachable or its answer invalid, unless the case expects that failure. */
export function refuseFailedCalls(suiteCase: Pick<SuiteCase, 'expect' | 'steps' | 'recording'>, output: CaseOutput): void {
  const failed = failedCalls(output.calls).find(
    // An answer that is not valid is compared with the recorded one.
    found =>
      !expectsFailedCall(expectationFor(suiteCase, found.call), found) &&
      !(suiteCase.recording !== undefined && found.webhook.exchange?.answer.outcome === 'answered'),
  );
  if (failed === undefined) return;
  const { class: failureClass, message, why, try: advice } = failed.failure;
  const { step } = failed.call;
  const lines = [step === undefined ? message : `${stepText(step)}: ${message}`, why, advice === '' ? '' : `try: ${advice}`];
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
