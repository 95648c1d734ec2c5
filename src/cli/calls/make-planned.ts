import type { CallReport } from '../../client/call-report.js';
import type { Plan } from '../../client/calls/plan.js';
import { runCalls } from '../../client/run-calls.js';
import type { ValueMap } from '../../go/value.js';
import type { RuleObserver } from '../../kubernetes/rule-part.js';
import type { CallWebhook } from '../../kubernetes/webhook-call.js';
import type { CheckName } from '../../suites/checks/check.js';
import { effectsFor, type Fixed } from '../effects.js';
import type { Surroundings } from '../surroundings.js';
import { requiredServiceAddresses } from '../webhooks/services.js';

/** Context of planned calls. */
export interface PlanMaking {
  readonly callWebhook: CallWebhook;
  /** `--service` of the webhooks. */
  readonly services: readonly string[];
  /** Additional checks of the webhooks. */
  readonly checks: readonly CheckName[];
  readonly fixed: Fixed;
  /** Policies to repeat every call with, in place of the webhooks. */
  readonly compare?: readonly ValueMap[] | undefined;
  /** Hears which rules the calls reach. */
  readonly observer?: RuleObserver | undefined;
  /** Notes in every report. */
  readonly notes: readonly string[];
  readonly surroundings: Pick<Surroundings, 'now' | 'random'>;
}

/** Makes planned calls in the plan's state and runs the checks. Throws CliError. */
export async function makePlanned(plan: Omit<Plan, 'warnings'>, making: PlanMaking): Promise<CallReport[]> {
  const { callWebhook, services, checks, compare, observer } = making;
  const serviceAddress = requiredServiceAddresses(services, plan.state);
  const fixed = checks.length === 0 && compare === undefined ? making.fixed : repeatable(making);
  const calling = {
    ...{ state: plan.state, callWebhook },
    effects: (call: CallWebhook) => ({ ...effectsFor(call, fixed), serviceAddress, observer }),
    notes: [...plan.notes, ...making.notes],
  };
  const reports = await runCalls(plan.calls, calling);
  const checked = checks.length === 0 ? reports : await checkedReports(checks, { calls: plan.calls, reports }, calling);
  if (compare === undefined) return checked;
  const { compareCalls } = await import('../checks/check-calls.js');
  return compareCalls(compare, { calls: plan.calls, reports: checked }, calling);
}

async function checkedReports(...given: Parameters<typeof import('../checks/check-calls.js').checkCalls>): Promise<CallReport[]> {
  const { checkCalls } = await import('../checks/check-calls.js');
  return checkCalls(...given);
}

/** Fixes seed and time, so that the calls of checks differ from the call only where they must. */
function repeatable({ fixed: { seed, now }, surroundings }: PlanMaking): Fixed {
  return { seed: seed ?? Math.floor(surroundings.random() * 2 ** 32), now: now ?? surroundings.now() };
}
