import { pickOptions } from '../../../client/options/option-names.js';
import { type StateFlagOptions, stateOptions } from '../../../client/options/state-options.js';
import { webhookOptions } from '../../../client/options/webhook-options.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import type { CaseOptions } from '../../../suites/suite.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { readState } from '../input/state.js';
import type { OpenWebhooks } from '../webhooks/open-webhooks.js';

/** Returns the state of a case; with webhooks, with these registered in it. */
export type StateReader = (options: CaseOptions & StateFlagOptions, webhooks?: OpenWebhooks) => Promise<ClusterState>;

/** All options that decide the state of a case, which may be about some of the suite's webhooks only. */
const caseStateOptions = { ...stateOptions, webhook: webhookOptions.webhook };

/** Reads each state once for all cases that share it; conversions need no webhook configurations in it. */
export function stateReader(surroundings: Surroundings): StateReader {
  const read = new Map<string, Promise<ClusterState>>();
  return (options, webhooks) => {
    const { webhook, ...deciding } = pickOptions(options, caseStateOptions);
    const key = JSON.stringify([deciding, webhook, webhooks === undefined]);
    const known =
      read.get(key) ??
      readState(deciding, surroundings).then(state => (webhooks === undefined ? state : registerWebhooks(state, webhooks, webhook)));
    read.set(key, known);
    return known;
  };
}

async function registerWebhooks(state: ClusterState, webhooks: OpenWebhooks, chosen: readonly string[] | undefined): Promise<ClusterState> {
  const inState = webhooks.registeredIn(state, chosen);
  await webhooks.checkConfigurations(inState);
  return inState;
}
