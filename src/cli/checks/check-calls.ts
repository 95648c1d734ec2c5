import { answeredCall, type CallSurroundings } from '../../client/run-calls.js';
import type { ValueMap } from '../../go/value.js';
import type { ApiCall, ClusterState } from '../../kubernetes/api-call.js';
import type { Effects } from '../../kubernetes/effects.js';
import type { CallWebhook } from '../../kubernetes/webhook-call.js';
import { type CheckName, runChecks } from '../../suites/checks/check.js';

import { comparePolicies } from './compare-policies.js';

/** Context of the calls whose webhooks are checked. */
export interface CheckSurroundings {
  readonly callWebhook: CallWebhook;
  /** Side effects of one call, each time with the same uids, time and randomness. */
  readonly effects: (callWebhook: CallWebhook, state: ClusterState) => Effects;
}

/**
 * Returns a function that repeats a call in the state before it: for the checks, and with admission policies instead of the webhooks if
 * there are any.
 */
export function checkOf(
  names: readonly CheckName[],
  policies: readonly ValueMap[] | undefined,
  { callWebhook, effects }: CheckSurroundings,
): NonNullable<CallSurroundings['check']> {
  return async ({ planned: { call }, report, exchanges }, state) => {
    const again = (other: ApiCall, inState: ClusterState) => answeredCall(other, inState, () => effects(callWebhook, inState));
    const { findings, notes } =
      names.length === 0
        ? { findings: [], notes: [] }
        : await runChecks(names, { call, state, report, exchanges, again, send: callWebhook });
    if (policies === undefined) return { findings, notes };
    return { findings: [...findings, ...(await comparePolicies({ call, state, report, again }, policies))], notes };
  };
}
