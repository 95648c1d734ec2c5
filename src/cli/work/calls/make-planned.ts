import { servedBy } from '../../../apiserver/call/served-resources.js';
import type { Report } from '../../../apiserver/report/report.js';
import type { CallPlan } from '../../../client/calls/plan.js';
import type { ServiceMapping } from '../../../client/options/address-values.js';
import type { CheckName } from '../../../client/options/call-checks.js';
import type { CallReport } from '../../../client/run/call-report.js';
import {
  type CallSurroundings,
  type CheckedFindings,
  collectReports,
  type ObserveCall,
  runOnlyStep,
  runSteps,
} from '../../../client/run/run-calls.js';
import { isStructuralDefinition } from '../../../client/run/state-after.js';
import type { StepResult } from '../../../client/run/step-result.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import { recordSteps } from '../../../kubernetes/call-steps.js';
import type { Effects } from '../../../kubernetes/effects.js';
import type { RuleObserver } from '../../../kubernetes/rule-part.js';
import { kindOf, recordWrite, storageOf } from '../../../kubernetes/storage.js';
import type { CallWebhook } from '../../../kubernetes/webhook-call.js';
import { withQuotaStatus } from '../../../plugins/quota/quota-status.js';
import { monotonicMs } from '../../../transport/clock.js';
import { effectsFor, type Fixed, fixedForCall } from '../../shell/effects.js';
import type { Surroundings } from '../../shell/surroundings.js';
import type { WebhookComparison } from '../checks/comparison.js';
import type { AgainstCluster } from '../cluster/against-cluster.js';
import { requiredServiceAddresses } from '../webhooks/services.js';

/** Context of planned calls. */
export interface PlanMaking {
  readonly callWebhook: CallWebhook;
  /** `--service` of the webhooks. */
  readonly services: readonly ServiceMapping[];
  /** `--forward`, unless the webhooks may act: see {@link Effects}. */
  readonly reviewsAreDryRuns?: boolean | undefined;
  /** Additional checks of the webhooks. */
  readonly checks: readonly CheckName[];
  readonly fixed: Fixed;
  /** Webhooks or policies to compare those of every call with. */
  readonly compare?: WebhookComparison | undefined;
  /** Compares every call with the answer of its cluster. */
  readonly against?: AgainstCluster | undefined;
  /** Records which rules the calls reach. */
  readonly observer?: RuleObserver | undefined;
  /** Makes calls where clients of webhooks see the state. */
  readonly observe?: ObserveCall | undefined;
  /** Notes in every report. */
  readonly notes: readonly string[];
  readonly surroundings: Pick<Surroundings, 'now' | 'random'>;
  /** Measures the steps of the calls. */
  readonly recordsSteps?: boolean | undefined;
  /** `--independent` */
  readonly isIndependent?: boolean | undefined;
  /** Numbers of the calls to make; all by default. */
  readonly part?: CallSurroundings['part'];
  /** Keeps what existed before so many first calls. */
  readonly keptStates?: number | undefined;
  /** Registers the webhooks of the flags in a state whose configurations a call changed. */
  readonly registeredIn?: ((state: ClusterState) => ClusterState) | undefined;
}

/** Makes planned calls in the plan's state and runs the checks. Throws CliError for a step that cannot be used. */
export async function makePlanned(plan: Omit<CallPlan, 'warnings'>, making: PlanMaking): Promise<CallReport[]> {
  const [step, ...others] = plan.steps;
  if (step === undefined || others.length > 0 || making.part !== undefined) return collectReports(makePlannedSteps(plan, making));
  const result = await runOnlyStep(step, await prepareCalling(plan, making));
  if (result.outcome === 'unusable') throw result.error;
  return result.outcome === 'answered' ? [result.report] : [];
}

/** Makes the same calls, and continues after steps that cannot be used. Results come in order, as soon as they are final. */
export async function* makePlannedSteps(plan: Omit<CallPlan, 'warnings'>, making: PlanMaking): AsyncGenerator<StepResult> {
  yield* runSteps(plan.steps, await prepareCalling(plan, making));
}

async function prepareCalling({ state, notes }: Omit<CallPlan, 'warnings'>, making: PlanMaking): Promise<CallSurroundings> {
  const { callWebhook, services, checks, compare, against, observer, observe, isIndependent } = making;
  const fixed = checks.length === 0 && compare === undefined ? making.fixed : repeatable(making);
  const calling = {
    ...{ state, callWebhook, isIndependent, observe, part: making.part, keptStates: making.keptStates },
    effects: (call: CallWebhook, current: ClusterState, number: number) => ({
      ...effectsFor(call, fixedForCall(fixed, number)),
      serviceAddress: requiredServiceAddresses(services, current),
      reviewsAreDryRuns: making.reviewsAreDryRuns,
      observer,
      steps: making.recordsSteps === true ? recordSteps(monotonicMs) : undefined,
    }),
    notes: [...notes, ...making.notes],
    settled: settledBy(making),
  };
  if (checks.length === 0 && compare === undefined && against === undefined) return calling;
  const { callNeeded, checkOf } = await import('../checks/check-calls.js');
  const check = checkOf(checks, compare, calling);
  if (against === undefined) return { ...calling, check };
  return {
    ...calling,
    check: (made, current, number) => {
      if (made.planned.captured !== undefined) throw callNeeded('--against-cluster');
      const effects = (used: CallWebhook, at: ClusterState): Effects => calling.effects(used, at, number);
      return joinFindings(check(made, current, number), against.check(made, current, { callWebhook, effects }));
    },
  };
}

async function joinFindings(...results: readonly Promise<CheckedFindings>[]): Promise<CheckedFindings> {
  const all = await Promise.all(results);
  return { findings: all.flatMap(({ findings }) => findings), notes: all.flatMap(({ notes }) => notes) };
}

/** Applies the immediate effects of a change in a cluster: webhooks are registered, quotas get their status. */
export function settledBy({
  fixed,
  surroundings,
  registeredIn = state => state,
}: Pick<PlanMaking, 'fixed' | 'registeredIn'> & { readonly surroundings: Pick<Surroundings, 'now'> }): NonNullable<
  CallSurroundings['settled']
> {
  return (before, after, { decision: { object } }: Report) => {
    const kind = object === undefined ? undefined : kindOf(object);
    if (after !== before && kind?.group === 'admissionregistration.k8s.io' && isStructuralDefinition(kind)) return registeredIn(after);
    if (object !== undefined && kind?.group === '' && kind.kind === 'ResourceQuota' && after.written !== undefined) {
      const now = fixed.now ?? surroundings.now();
      recordWrite(after.written, withQuotaStatus(object, { storage: storageOf(after), served: servedBy(after), now }));
    }
    return after;
  };
}

/** Fixes seed and time, so that the calls of checks differ from the call only as intended. */
function repeatable({ fixed: { seed, now }, surroundings }: PlanMaking): Fixed {
  return { seed: seed ?? Math.floor(surroundings.random() * 2 ** 32), now: now ?? surroundings.now() };
}
