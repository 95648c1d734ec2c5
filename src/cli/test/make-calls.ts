import type { ClusterState } from '../../kubernetes/api-call.js';
import type { CallWebhook } from '../../kubernetes/webhook-call.js';
import type { CallReport } from '../../reports/call-report.js';
import type { CaseCall } from '../../suites/results.js';
import type { SuiteCase } from '../../suites/suite.js';
import { type Plan, planCallsIn } from '../calls/plan.js';
import { runCalls } from '../calls/run-calls.js';
import { effectsFor, type Fixed } from '../effects.js';
import type { CallFlags } from '../flags/call-flags.js';
import type { Surroundings } from '../surroundings.js';
import { requiredServiceAddresses } from '../webhooks/services.js';

/** What the calls of one case are made with. */
export interface CallMaking {
  readonly flags: CallFlags;
  /** With the webhooks registered. */
  readonly state: ClusterState;
  readonly callWebhook: CallWebhook;
  /** `--service` of the webhooks. */
  readonly services: readonly string[];
  readonly fixed: Fixed;
  /** Said of every call. */
  readonly notes: readonly string[];
  readonly surroundings: Surroundings;
}

/** Makes the calls of a case, asks what it wants to know besides, and answers what came of them. Throws CliError, and CaseSkip where there is no such case. */
export async function makeCalls(suiteCase: SuiteCase, making: CallMaking): Promise<CaseCall[]> {
  const { scenario, checks } = suiteCase;
  if (scenario !== undefined) {
    const { scenarioCalls } = await import('./scenario-calls.js');
    return scenarioCalls(scenario, checks, making);
  }
  const plan = await planCallsIn(making.state, making.flags, making.surroundings);
  return reported(await makePlanned(plan, checks, making));
}

/** Makes planned calls and asks the further questions. */
export async function makePlanned(plan: Omit<Plan, 'warnings'>, checks: SuiteCase['checks'], making: CallMaking): Promise<CallReport[]> {
  const { callWebhook, services, surroundings } = making;
  const { state } = plan;
  const serviceAddress = requiredServiceAddresses(services, state);
  const fixed = checks.length === 0 ? making.fixed : repeatable(making.fixed, surroundings);
  const calling = {
    ...{ state, callWebhook },
    effects: (call: CallWebhook) => ({ ...effectsFor(call, fixed), serviceAddress }),
    notes: [...plan.notes, ...making.notes],
  };
  const reports = await runCalls({ ...plan, warnings: [] }, calling);
  if (checks.length === 0) return reports;
  const { checkCalls } = await import('../checks/check-calls.js');
  return checkCalls(checks, { calls: plan.calls, reports }, calling);
}

/** What results keep of reports. */
export function reported(reports: readonly CallReport[]): CaseCall[] {
  return reports.map(({ report, kubectl, exchanges, findings }) => ({
    ...{ report, kubectl, exchanges },
    ...(findings.length === 0 ? {} : { findings }),
  }));
}

/** Further questions differ from the call in nothing but what they ask. */
function repeatable({ seed, now }: Fixed, { random, now: clock }: Pick<Surroundings, 'now' | 'random'>): Fixed {
  return { seed: seed ?? Math.floor(random() * 2 ** 32), now: now ?? clock() };
}
