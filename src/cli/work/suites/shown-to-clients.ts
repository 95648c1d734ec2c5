import type { WebhookFlagOptions } from '../../../client/options/webhook-options.js';
import type { ValueMap } from '../../../go/value.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import type { CaseOptions, Suite, SuiteApiserver } from '../../../suites/suite.js';
import { isConfiguration } from '../webhooks/configurations.js';
import type { OpenWebhooks } from '../webhooks/open-webhooks.js';
import type { StateReader } from './case-states.js';
import type { CaseState } from './suite-apiserver.js';

/** The state that the suite gives its API server for all cases. */
export function readFixedState({ state }: SuiteApiserver, states: StateReader): Promise<ClusterState> {
  return states({ state });
}

/** What clients of the process see: not the configuration that the suite makes up for a single webhook, which would match every call. */
export async function readShownState(
  { apiserver }: Suite,
  caseOptions: CaseOptions,
  { flags, states }: { readonly flags: WebhookFlagOptions; readonly states: StateReader },
): Promise<CaseState> {
  if (apiserver?.state !== undefined) return { fixed: (await readFixedState(apiserver, states)).objects, configurations: undefined };
  if (flags.url === undefined && flags.demo !== true) return { fixed: undefined, configurations: undefined };
  return { fixed: undefined, configurations: (await states(caseOptions)).objects.filter(isConfiguration) };
}

/** Adds configurations that the process registered in its API server to every state. */
export function withRegistered(webhooks: OpenWebhooks, configurations: readonly ValueMap[]): OpenWebhooks {
  if (configurations.length === 0) return webhooks;
  const { registeredIn } = webhooks;
  return {
    ...webhooks,
    registeredIn: (state, chosen) => registeredIn({ ...state, objects: [...state.objects, ...configurations] }, chosen),
  };
}
