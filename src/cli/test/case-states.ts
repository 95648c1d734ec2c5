import type { CallFlags } from '../../client/options/call-options.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { readState } from '../input/state.js';
import type { Surroundings } from '../surroundings.js';
import type { OpenWebhooks } from '../webhooks/open-webhooks.js';
import type { ConversionFlags } from './make-conversions.js';

/** A case may be about some of the suite's webhooks only. */
export type CaseFlags = CallFlags & ConversionFlags & { readonly webhook?: readonly string[] | undefined };

export type StateReader = (flags: CaseFlags, webhooks?: OpenWebhooks) => Promise<ClusterState>;

/** Reads each state once for all cases that share it; conversions need no webhook configurations in it. */
export function stateReader(surroundings: Surroundings): StateReader {
  const read = new Map<string, Promise<ClusterState>>();
  return (flags, webhooks) => {
    const key = JSON.stringify([
      flags.state,
      flags.context,
      flags.kubeconfig,
      flags.recursive,
      flags['enable-admission-plugins'],
      flags['disable-admission-plugins'],
      flags['kubernetes-version'],
      flags.webhook,
      webhooks === undefined,
    ]);
    const known =
      read.get(key) ??
      readState({ ...flags, filename: undefined }, surroundings).then(state =>
        webhooks === undefined ? state : registered(state, webhooks, flags),
      );
    read.set(key, known);
    return known;
  };
}

async function registered(state: ClusterState, webhooks: OpenWebhooks, { webhook }: CaseFlags): Promise<ClusterState> {
  const inState = webhooks.registeredIn(state, webhook);
  await webhooks.checkConfigurations(inState);
  return inState;
}
