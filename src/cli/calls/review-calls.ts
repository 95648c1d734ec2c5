import type { CallReport } from '../../reports/call-report.js';
import { checkNamesOf } from '../checks/check-names.js';
import type { CallFlags } from '../flags/call-flags.js';
import type { WebhookFlags } from '../flags/webhook-flags.js';
import { comparedPolicies } from '../input/compared-policies.js';
import type { Surroundings } from '../surroundings.js';
import { connectionNotes } from '../webhooks/cluster-webhooks.js';
import { openTransport } from '../webhooks/connection.js';
import { openWebhooks } from '../webhooks/open-webhooks.js';
import { checkConfigurations } from '../webhooks/refused-configurations.js';
import { makePlanned } from './make-planned.js';
import type { Plan } from './plan.js';

/** The flags that say how planned calls are reviewed. */
export type ReviewingFlags = CallFlags & WebhookFlags & { readonly check?: string | undefined; readonly compare?: string | undefined };

/** Makes planned calls with the webhooks that the flags ask for, those of the plan's state or others. Throws CliError. */
export async function reviewCalls(
  plan: Plan,
  flags: ReviewingFlags,
  surroundings: Pick<Surroundings, 'cwd' | 'now' | 'random' | 'stdin' | 'uid'>,
): Promise<CallReport[]> {
  const webhooks = await openWebhooks(flags, surroundings);
  try {
    const state = webhooks.registeredIn(plan.state);
    // What the flags register is made here, and checked where they are read.
    if (flags.url === undefined && flags.demo !== true) await checkConfigurations(state);
    return await callsWith({ ...plan, state }, flags, surroundings);
  } finally {
    await webhooks.close();
  }
}

async function callsWith(
  plan: Plan,
  flags: ReviewingFlags,
  surroundings: Pick<Surroundings, 'cwd' | 'now' | 'random' | 'stdin' | 'uid'>,
): Promise<CallReport[]> {
  const transport = await openTransport(flags, surroundings.cwd);
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
