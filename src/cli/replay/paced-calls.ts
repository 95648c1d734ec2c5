import { setTimeout } from 'node:timers/promises';
import type { CallWebhook } from '../../kubernetes/webhook-call.js';
import { monotonicMs } from '../../transport/clock.js';

/** Sends at most so many reviews a second, evenly; all of them at once if it is undefined. */
export function paced(callWebhook: CallWebhook, perSecond: number | undefined): CallWebhook {
  if (perSecond === undefined) return callWebhook;
  let next = 0;
  return async call => {
    const now = monotonicMs();
    const at = Math.max(now, next);
    next = at + 1000 / perSecond;
    if (at > now) await setTimeout(at - now);
    return callWebhook(call);
  };
}

/** Waiting time before the first repetition; it doubles with each further one. */
const firstPauseMs = 200;

/** Sends a review again when the webhook cannot be reached: a webhook that is restarted says nothing about the traffic. */
export function retrying(callWebhook: CallWebhook, retries: number): CallWebhook {
  if (retries === 0) return callWebhook;
  return async call => {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await callWebhook(call);
      const isUnreached = answer.outcome === 'failed' && (answer.class === 'dns' || answer.class === 'tcp');
      if (!isUnreached || attempt === retries) return answer;
      await setTimeout(firstPauseMs * 2 ** attempt);
    }
  };
}
