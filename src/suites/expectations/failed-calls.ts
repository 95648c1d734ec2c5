import type { CallFailure, WebhookReport } from '../../apiserver/admission/webhook-report.js';
import type { FailureClass } from '../../kubernetes/webhook-call.js';
import type { CaseCall, TestFailure } from '../results.js';
import type { Expectation, Expected, FailureExpectation } from '../suite.js';
import { textFailures } from './expectations.js';

/** A webhook that could not be called, or whose answer is invalid. */
export interface FailedCall {
  readonly call: CaseCall;
  readonly webhook: WebhookReport;
  readonly failure: CallFailure;
}

/** Returns the failed webhook calls of a case, also those that failurePolicy Ignore hides from the client. */
export function failedCalls(calls: readonly CaseCall[]): FailedCall[] {
  return calls.flatMap(call =>
    call.report.webhooks.flatMap(webhook => (webhook.failure === undefined ? [] : [{ call, webhook, failure: webhook.failure }])),
  );
}

const firstServerError = 500;

/**
 * Reports whether a case names this failure: with `failure`, or with the status of the API server's answer, which is 500. That it expects a
 * refusal is not enough, because a webhook that does not run refuses everything.
 */
export function expectsFailedCall({ failure, code }: Expectation, { call }: Pick<FailedCall, 'call'>): boolean {
  if (failure !== undefined) return true;
  return code !== undefined && code.value >= firstServerError && code.value === call.report.decision.code;
}

/** Returns the differences from the expected failure of a call. */
export function failureOfCallDifferences(expected: Expected<FailureExpectation> | undefined, call: CaseCall): TestFailure[] {
  if (expected === undefined) return [];
  const failed = failedCalls([call]);
  if (failed.length > 0) return failed.flatMap(({ failure }) => failureDifferences(expected, failure));
  return [{ check: 'failure', message: 'expected a failed webhook call, but no webhook call failed', place: expected.place }];
}

/** Returns the differences of one failure from the expected one. */
export function failureDifferences(
  { value, place }: Expected<FailureExpectation>,
  actual: { readonly class: FailureClass; readonly message: string },
): TestFailure[] {
  const message = value.message === undefined ? undefined : { value: value.message, place };
  return [
    ...(value.class === undefined || value.class === actual.class
      ? []
      : [
          {
            check: 'failure',
            message: `the webhook call failed with class ${actual.class} instead of ${value.class}: ${actual.message}`,
            ...{ expected: value.class, actual: actual.class, place },
          },
        ]),
    ...textFailures('failure', message, actual.message),
  ];
}
