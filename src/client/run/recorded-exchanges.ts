import type { CallWebhook, WebhookExchange } from '../../kubernetes/webhook-call.js';

/** Records requests and answers, in the order of the requests. */
export function recordExchanges(callWebhook: CallWebhook): {
  readonly callWebhook: CallWebhook;
  readonly exchanges: () => WebhookExchange[];
} {
  const slots: (WebhookExchange | undefined)[] = [];
  return {
    callWebhook: async (call, onStage) => {
      const at = slots.push(undefined) - 1;
      const answer = await callWebhook(call, onStage);
      slots[at] = { call, answer };
      return answer;
    },
    exchanges: () => slots.filter(slot => slot !== undefined),
  };
}
