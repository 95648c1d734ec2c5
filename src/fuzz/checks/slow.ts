import type { WebhookAnswer, WebhookExchange } from '../../kubernetes/webhook-call.js';
import type { CallCheck, ShownFinding } from './finding.js';

/** Share of `timeoutSeconds` after which an answer is late. */
const lateShare = 0.5;

/** An answer later than half of `timeoutSeconds`, twice in a row for the same review. */
export const checkDuration: CallCheck = async ({ exchanges, send }, { isReduction, wasLate }) => {
  const isSecond = isReduction || wasLate;
  const found: ShownFinding[] = [];
  for (const { call, answer } of exchanges) {
    if (call.phase === 'conversion' || !isLate({ call, answer }) || !(isSecond || isLate({ call, answer: await send(call) }))) continue;
    const message = `answers later than half of its timeoutSeconds, which are ${call.timeoutSeconds}`;
    found.push({ check: 'slow', webhook: call.webhook, message });
  }
  return found;
};

/** Reports whether an answer was later than half of `timeoutSeconds`. */
export function isLate({ call, answer }: WebhookExchange): boolean {
  return durationOf(answer) > call.timeoutSeconds * 1000 * lateShare;
}

function durationOf(answer: WebhookAnswer): number {
  if (answer.outcome === 'noClient' || (answer.outcome === 'failed' && answer.class !== 'time')) return 0;
  return answer.durationMs;
}
