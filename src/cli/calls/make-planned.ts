import type { CallReport } from '../../client/call-report.js';
import type { Plan } from '../../client/calls/plan.js';
import { runCalls } from '../../client/run-calls.js';
import type { CallWebhook } from '../../kubernetes/webhook-call.js';
import type { CheckName } from '../../suites/checks/check.js';
import { effectsFor, type Fixed } from '../effects.js';
import type { Surroundings } from '../surroundings.js';
import { requiredServiceAddresses } from '../webhooks/services.js';

/** What planned calls are made with. */
export interface PlanMaking {
  readonly callWebhook: CallWebhook;
  /** `--service` of the webhooks. */
  readonly services: readonly string[];
  /** What to ask the webhooks besides. */
  readonly checks: readonly CheckName[];
  readonly fixed: Fixed;
  /** Said of every call. */
  readonly notes: readonly string[];
  readonly surroundings: Pick<Surroundings, 'now' | 'random'>;
}

/** Makes planned calls in the plan's state and asks the further questions. Throws CliError. */
export async function makePlanned(plan: Omit<Plan, 'warnings'>, making: PlanMaking): Promise<CallReport[]> {
  const { callWebhook, services, checks } = making;
  const serviceAddress = requiredServiceAddresses(services, plan.state);
  const fixed = checks.length === 0 ? making.fixed : repeatable(making);
  const calling = {
    ...{ state: plan.state, callWebhook },
    effects: (call: CallWebhook) => ({ ...effectsFor(call, fixed), serviceAddress }),
    notes: [...plan.notes, ...making.notes],
  };
  const reports = await runCalls(plan.calls, calling);
  if (checks.length === 0) return reports;
  const { checkCalls } = await import('../checks/check-calls.js');
  return checkCalls(checks, { calls: plan.calls, reports }, calling);
}

/** Further questions differ from the call in nothing but what they ask. */
function repeatable({ fixed: { seed, now }, surroundings }: PlanMaking): Fixed {
  return { seed: seed ?? Math.floor(surroundings.random() * 2 ** 32), now: now ?? surroundings.now() };
}
