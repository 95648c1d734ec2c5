import type { Report } from '../../apiserver/report.js';
import { CliError } from '../../client/cli-error.js';
import { answeredCall, type CallSurroundings, type ObserveCall } from '../../client/run-calls.js';
import type { ApiCall, ClusterState } from '../../kubernetes/api-call.js';
import type { Effects } from '../../kubernetes/effects.js';
import type { CallWebhook } from '../../kubernetes/webhook-call.js';
import { type CheckName, runChecks } from '../../suites/checks/check.js';

import type { Comparison } from '../input/comparison.js';
import { comparePolicies } from './compare-policies.js';
import { compareWebhooks } from './compare-webhooks.js';

/** Context of the calls whose webhooks are checked. */
export interface CheckSurroundings {
  readonly callWebhook: CallWebhook;
  /** Side effects of one call, each time with the same uids, time and randomness. */
  readonly effects: (callWebhook: CallWebhook, state: ClusterState, number: number) => Effects;
  readonly observe?: ObserveCall | undefined;
}

/**
 * Returns a function that runs the checks, which repeat a call in the state before it, and compares its webhooks with policies or with
 * another webhook.
 */
export function checkOf(
  names: readonly CheckName[],
  comparison: Comparison | undefined,
  { callWebhook, effects, observe }: CheckSurroundings,
): NonNullable<CallSurroundings['check']> {
  return async ({ planned: { call, captured }, report, exchanges }, state, number) => {
    if (captured !== undefined) refuseCallsAgain(names, comparison);
    const again = (other: ApiCall, inState: ClusterState): Promise<Report> => {
      const answer = (): Promise<Report> => answeredCall(other, inState, () => effects(callWebhook, inState, number));
      return observe?.({ call: other, state: inState, isRepeated: true }, answer) ?? answer();
    };
    const checked =
      names.length === 0
        ? { findings: [], notes: [] }
        : await runChecks(names, { call, state, report, exchanges, again, send: callWebhook });
    if (comparison === undefined) return checked;
    const compared =
      'url' in comparison
        ? await compareWebhooks(exchanges, { ...comparison, callWebhook, server: state.server })
        : { findings: await comparePolicies({ call, state, report, again }, comparison.policies), notes: [] };
    return { findings: [...checked.findings, ...compared.findings], notes: [...checked.notes, ...compared.notes] };
  };
}

/** Returns the error for a flag that makes the API call of a captured review again, which is unknown. */
export function callNeeded(flag: string): CliError {
  return new CliError('usage', `${flag} needs an API call, and a captured review is sent as it is`, {
    suggestions: ['pass the manifest instead', 'compare with another webhook: --compare URL'],
  });
}

function refuseCallsAgain(names: readonly CheckName[], comparison: Comparison | undefined): void {
  const flag = names.length > 0 ? '--check' : comparison !== undefined && 'policies' in comparison ? '--compare with policies' : undefined;
  if (flag !== undefined) throw callNeeded(flag);
}
