import type { CallWebhook } from '../../kubernetes/webhook-call.js';
import type { CallReport } from '../../reports/call-report.js';
import { checkCalls } from '../checks/check-calls.js';
import { checkNamesOf } from '../checks/check-names.js';
import { effectsFor, type Fixed } from '../effects.js';
import type { CallFlags } from '../flags/call-flags.js';
import type { WebhookFlags } from '../flags/webhook-flags.js';
import type { Surroundings } from '../surroundings.js';
import { connectionNotes } from '../webhooks/cluster-webhooks.js';
import { openTransport } from '../webhooks/connection.js';
import { openWebhooks } from '../webhooks/open-webhooks.js';
import { checkConfigurations } from '../webhooks/refused-configurations.js';
import { requiredServiceAddresses } from '../webhooks/services.js';
import type { Plan } from './plan.js';
import { runCalls } from './run-calls.js';

/** The flags that say how planned calls are reviewed. */
export type ReviewingFlags = CallFlags & WebhookFlags & { readonly check?: string | undefined };

/** Makes planned calls with the webhooks that the flags ask for, those of the plan's state or others. Throws CliError. */
export async function reviewCalls(
  plan: Plan,
  flags: ReviewingFlags,
  surroundings: Pick<Surroundings, 'cwd' | 'now' | 'random'>,
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
  surroundings: Pick<Surroundings, 'cwd' | 'now' | 'random'>,
): Promise<CallReport[]> {
  const transport = await openTransport(flags, surroundings.cwd);
  const serviceAddress = requiredServiceAddresses(flags.service ?? [], plan.state);
  const checks = checkNamesOf(flags.check);
  const fixed = checks.length === 0 ? flags : repeatable(flags, surroundings);
  const callSurroundings = {
    state: plan.state,
    callWebhook: transport.callWebhook,
    effects: (callWebhook: CallWebhook) => ({ ...effectsFor(callWebhook, fixed), serviceAddress }),
  };
  try {
    const reports = await runCalls(plan, { ...callSurroundings, notes: [...plan.notes, ...connectionNotes(flags)] });
    return checks.length === 0 ? reports : await checkCalls(checks, { calls: plan.calls, reports }, callSurroundings);
  } finally {
    await transport.close();
  }
}

/** Further questions differ from the call in nothing but what they ask. */
function repeatable({ seed, now }: Fixed, surroundings: Pick<Surroundings, 'now' | 'random'>): Fixed {
  return { seed: seed ?? Math.floor(surroundings.random() * 2 ** 32), now: now ?? surroundings.now() };
}
