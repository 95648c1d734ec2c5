import { answeredCall, type CallSurroundings } from '../../client/run-calls.js';
import type { ApiCall, ClusterState } from '../../kubernetes/api-call.js';
import type { Effects } from '../../kubernetes/effects.js';
import type { CallWebhook } from '../../kubernetes/webhook-call.js';
import { type CheckName, runChecks } from '../../suites/checks/check.js';

/** Context of the calls whose webhooks are checked. */
export interface CheckSurroundings {
  readonly callWebhook: CallWebhook;
  /** Side effects of one call, each time with the same uids, time and randomness. */
  readonly effects: (callWebhook: CallWebhook, state: ClusterState) => Effects;
}

/** Returns a function that runs checks for a call, in the state before it. */
export function checkOf(names: readonly CheckName[], { callWebhook, effects }: CheckSurroundings): NonNullable<CallSurroundings['check']> {
  return ({ planned: { call }, report, exchanges }, state) => {
    const again = (other: ApiCall, inState: ClusterState) => answeredCall(other, inState, effects(callWebhook, inState));
    return runChecks(names, { call, state, report, exchanges, again, send: callWebhook });
  };
}
