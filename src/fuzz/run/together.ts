import type { WebhookExchange } from '../../kubernetes/webhook-call.js';
import type { CallPipeline, MadeCall } from '../pipeline/pipeline.js';

const minWaitMs = 1000;
/** A second answer takes this many times as long as the first one of all, at most. */
const patience = 8;

/**
 * Reports whether the webhook answers two reviews at the same time: a server with one thread serves one connection, and others wait until that is
 * closed.
 */
export async function tryCallsTogether({ exchanges }: MadeCall, { pipeline }: { readonly pipeline: CallPipeline }): Promise<boolean> {
  const first = exchanges.find((exchange): exchange is WebhookExchange => exchange.answer.outcome === 'answered');
  if (first?.answer.outcome !== 'answered') return true;
  const deadlineMs = Math.min(first.call.deadlineMs, Math.max(minWaitMs, first.answer.durationMs * patience));
  const { callWebhook } = pipeline.scene();
  const answers = await Promise.all([first.call, first.call].map(call => callWebhook({ ...call, deadlineMs })));
  return answers.every(answer => answer.outcome !== 'failed' || answer.class !== 'time');
}

/** Message about a webhook that waits for itself, such as for a lock that it kept. */
export const blocksNext = 'answers this review, and then no other one';

const blockedMs = 2000;

/** Reports whether the webhook, which answered a call, does not answer the same review again. */
export async function isBlockedBy({ exchanges }: MadeCall, { pipeline }: { readonly pipeline: CallPipeline }): Promise<boolean> {
  const last = exchanges.at(-1);
  if (last?.answer.outcome !== 'answered') return false;
  const { call } = last;
  const answer = await pipeline.scene().callWebhook({ ...call, deadlineMs: Math.min(call.deadlineMs, blockedMs) });
  return answer.outcome === 'failed' && answer.class === 'time';
}
