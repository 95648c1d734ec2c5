import type { CallPlan } from '../../../client/calls/plan.js';
import { CliError } from '../../../client/cli-error.js';
import { forwardServices } from '../../../cluster/port-forward/forward-services.js';
import type { CallWebhook } from '../../../kubernetes/webhook-call.js';
import type { TransportOptions } from '../../../transport/call-webhook.js';
import type { Wire } from '../../../transport/wire.js';
import { type ClusterFlags, choosesCluster } from '../cluster/cluster-flags.js';
import { type ClusterSurroundings, openCluster } from '../cluster/open-cluster.js';
import { forwardNeedsCluster } from './services.js';

/** How webhooks in the user's cluster are called. */
export interface Forwarding {
  readonly connectToService: NonNullable<TransportOptions['connectToService']>;
  /** Returns calls that are repeated at another pod when theirs is gone. */
  readonly overPods: (callWebhook: CallWebhook) => CallWebhook;
  readonly close: () => void;
}

/** Flags of the connections to webhooks in a cluster. */
export type ForwardFlags = ClusterFlags & {
  /** Whether a webhook may act on a review: `--dry-run none`. */
  readonly reviewsAreDryRuns?: boolean | undefined;
};

/** Max number of pods that one call is sent to. */
const maxPods = 3;

/** Returns the connections of `--forward`. Throws CliError. */
export function forwardingOf(flags: ForwardFlags, surroundings: ClusterSurroundings): Forwarding {
  if (!choosesCluster(flags)) throw forwardNeedsCluster();
  const services = forwardServices(openCluster(flags, surroundings).client);
  return {
    connectToService: async (service): Promise<Wire> => {
      const socket = await services.open(service);
      return { socket, isTunnel: true, local: '', remote: `${service.name}.${service.namespace}.svc:${service.port}` };
    },
    overPods: callWebhook => async (call, onStage) => {
      const service = call.address.inCluster;
      if (service === undefined) return callWebhook(call, onStage);
      // A webhook that may act is not called twice; conversions change nothing.
      const mayAct = call.phase !== 'conversion' && flags.reviewsAreDryRuns !== true;
      for (let pods = 1; ; pods += 1) {
        const isLast = pods === maxPods;
        try {
          const answer = await callWebhook(call, onStage);
          // A pod that ends closes its connections.
          const isClosed = answer.outcome === 'failed' && answer.class === 'tcp';
          if (mayAct || isLast || !isClosed || !(await services.replacePod(service))) return answer;
        } catch (error) {
          const ofPod = services.podErrorOf(error);
          if (isLast || ofPod === undefined || (mayAct && !ofPod.isEarly) || !(await services.replacePod(service))) throw error;
        }
      }
    },
    close: services.close,
  };
}

/** Returns a plan whose captured reviews must be dry runs. */
export function withDryReviews(plan: CallPlan): CallPlan {
  const steps = plan.steps.map(step => ({
    plan: async (...given: Parameters<typeof step.plan>) => {
      const planned = await step.plan(...given);
      if (!('captured' in planned) || planned.captured === undefined || planned.captured.request.get('dryRun') === true) return planned;
      throw new CliError('usage', 'this captured review is not a dry run, and --forward sends only dry runs to the cluster', {
        suggestions: ['set request.dryRun: true in it', 'pass --dry-run none to let the webhook act on it'],
      });
    },
  }));
  return { ...plan, steps };
}
