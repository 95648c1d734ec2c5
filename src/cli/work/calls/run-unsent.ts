import type { CallPlan } from '../../../client/calls/plan.js';
import { allowWithoutSending } from '../../../client/run/allowing-webhook.js';
import { runSteps } from '../../../client/run/run-calls.js';
import type { StepResult } from '../../../client/run/step-result.js';
import { recordUnsentConversions, withoutUnknownObjects } from '../../../client/run/unsent-conversions.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import { recordSteps } from '../../../kubernetes/call-steps.js';
import { monotonicMs } from '../../../transport/clock.js';
import { effectsFor, type Fixed, fixedForCall } from '../../shell/effects.js';
import type { Surroundings } from '../../shell/surroundings.js';
import type { ServiceAddress } from '../webhooks/services.js';
import { withoutCaptured } from './captured-review.js';
import { settledBy } from './make-planned.js';

export interface UnsentOptions extends Fixed {
  /** Addresses of services; undefined when none are mapped. */
  readonly mapped?: ServiceAddress;
  readonly isIndependent?: boolean | undefined;
  /** Numbers of the calls to make; all by default. */
  readonly part?: Iterable<number> | undefined;
  /** Measures the steps of the calls. */
  readonly recordsSteps?: boolean | undefined;
  /** Keeps what existed before so many first calls. */
  readonly keptStates?: number | undefined;
  /** Registers the webhooks of the flags in a state whose configurations a call changed. */
  readonly registeredIn: (state: ClusterState) => ClusterState;
  readonly surroundings: Pick<Surroundings, 'now'>;
}

/**
 * Makes calls whose reviews are built but not sent: every webhook allows. Addresses of services do not matter then. What depends on the answer of a conversion webhook
 * is left out of the reports.
 */
export async function* runUnsent(plan: CallPlan, state: ClusterState, options: UnsentOptions): AsyncGenerator<StepResult> {
  const { mapped, isIndependent, part, recordsSteps, keptStates, registeredIn, surroundings, ...fixed } = options;
  const results = runSteps(plan.steps.map(withoutCaptured), {
    state,
    isIndependent,
    part,
    keptStates,
    settled: settledBy({ fixed, registeredIn, surroundings }),
    callWebhook: allowWithoutSending,
    effects: (callWebhook, _, number) => {
      const unknownVersions = new Set<string>();
      return {
        ...effectsFor(recordUnsentConversions(callWebhook, unknownVersions), fixedForCall(fixed, number)),
        unknownVersions,
        steps: recordsSteps === true ? recordSteps(monotonicMs) : undefined,
        ignoresServiceSpecs: true,
        serviceAddress: service => mapped?.(service) ?? (service === undefined ? undefined : { host: '127.0.0.1', port: service.port }),
      };
    },
    notes: plan.notes,
  });
  for await (const result of results)
    yield result.outcome === 'answered' ? { ...result, report: withoutUnknownObjects(result.report) } : result;
}
