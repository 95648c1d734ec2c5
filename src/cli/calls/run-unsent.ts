import { allowWithoutSending } from '../../client/allowing-webhook.js';
import type { CallReport } from '../../client/call-report.js';
import type { Plan } from '../../client/calls/plan.js';
import { runCalls } from '../../client/run-calls.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { effectsFor, type Fixed } from '../effects.js';
import type { ServiceAddress } from '../webhooks/services.js';

export interface UnsentOptions extends Fixed {
  /** Addresses of services; undefined when none are mapped. */
  readonly mapped?: ServiceAddress;
}

/** Makes calls whose reviews are built but not sent: every webhook allows. Addresses of services do not matter then. */
export function runUnsent(plan: Plan, state: ClusterState, { mapped, ...fixed }: UnsentOptions): Promise<CallReport[]> {
  return runCalls(plan.calls, {
    state,
    callWebhook: allowWithoutSending,
    effects: callWebhook => ({
      ...effectsFor(callWebhook, fixed),
      serviceAddress: service => mapped?.(service) ?? (service === undefined ? undefined : { host: '127.0.0.1', port: service.port }),
    }),
    notes: plan.notes,
  });
}
