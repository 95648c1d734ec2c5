import { allowingAnswer } from '../client/run/allowing-webhook.js';
import type { CallWebhook, WebhookAnswer, WebhookCall } from '../kubernetes/webhook-call.js';
import type { RecordedReply } from './recorded-case.js';

/** Answers webhook calls from a case's replies; a webhook without entries allows. Records every call, in order. */
export function scriptedReplies(replies: readonly RecordedReply[]): { readonly callWebhook: CallWebhook; readonly calls: WebhookCall[] } {
  const calls: WebhookCall[] = [];
  const turns = new Map<RecordedReply | string, number>();
  const callWebhook: CallWebhook = async call => {
    calls.push(call);
    const mine = replies.filter(
      r => r.phase === call.phase && r.webhook === call.webhook && (r.configuration ?? call.configuration) === call.configuration,
    );
    const key = `${call.phase} ${call.configuration} ${call.webhook}`;
    const turn = turns.get(key) ?? 0;
    turns.set(key, turn + 1);
    return answerWith(mine[turn] ?? mine.at(-1), call);
  };
  return { callWebhook, calls };
}

function answerWith(reply: RecordedReply | undefined, call: WebhookCall): WebhookAnswer {
  if (reply === undefined) return allowingAnswer(call);
  const body = reply.body.replaceAll('{{uid}}', call.uid);
  const headers = reply.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  return { outcome: 'answered', statusCode: reply.status, headers, body: Buffer.from(body), durationMs: 0 };
}
