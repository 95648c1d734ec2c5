import type { CallReport } from '../../client/call-report.js';
import type { Plan } from '../../client/calls/plan.js';
import type { CallFlags } from '../../client/options/call-options.js';
import type { WebhookFlags } from '../../client/options/webhook-options.js';
import type { CallWebhook } from '../../kubernetes/webhook-call.js';
import { checkNamesOf } from '../checks/check-names.js';

import { comparedPolicies } from '../input/compared-policies.js';
import type { Surroundings } from '../surroundings.js';
import { connectionNotes } from '../webhooks/cluster-webhooks.js';
import { openTransport } from '../webhooks/connection.js';
import { openWebhooks } from '../webhooks/open-webhooks.js';
import { checkConfigurations } from '../webhooks/refused-configurations.js';
import { makePlanned } from './make-planned.js';

/** Flags of planned calls and their webhooks. */
export type ReviewingFlags = CallFlags & WebhookFlags & { readonly check?: string | undefined; readonly compare?: string | undefined };

/** What a review uses of the machine. `callWebhook` answers reviews instead of the network. */
export type ReviewSurroundings = Pick<Surroundings, 'cwd' | 'now' | 'random' | 'stdin' | 'uid'> & {
  readonly callWebhook?: CallWebhook | undefined;
};

/** Makes planned calls with the webhooks of the flags, or of the plan's state. Throws CliError. */
export async function reviewCalls(plan: Plan, flags: ReviewingFlags, surroundings: ReviewSurroundings): Promise<CallReport[]> {
  const webhooks = await openWebhooks(flags, surroundings);
  try {
    const state = webhooks.registeredIn(plan.state);
    // Registrations of the flags were checked with the flags.
    if (flags.url === undefined && flags.demo !== true) await checkConfigurations(state);
    return await callsWith({ ...plan, state }, flags, surroundings);
  } finally {
    await webhooks.close();
  }
}

async function callsWith(plan: Plan, flags: ReviewingFlags, surroundings: ReviewSurroundings): Promise<CallReport[]> {
  const { callWebhook } = surroundings;
  const transport = callWebhook === undefined ? await openTransport(flags, surroundings.cwd) : { callWebhook, close: async () => {} };
  try {
    return await makePlanned(plan, {
      callWebhook: transport.callWebhook,
      services: flags.service ?? [],
      checks: checkNamesOf(flags.check),
      compare: await comparedPolicies(flags.compare, surroundings),
      fixed: flags,
      notes: connectionNotes(flags),
      surroundings,
    });
  } finally {
    await transport.close();
  }
}
