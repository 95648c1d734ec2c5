import type { CallWebhook, WebhookCall } from '../../../kubernetes/webhook-call.js';
import type { Transport } from '../../../transport/call-webhook.js';
import { monotonicMs } from '../../../transport/clock.js';
import { demo } from '../../../webhook-server/handlers/demo.js';
import { httpDate } from '../../../webhook-server/http/write-response.js';
import { answer, phasePaths } from '../../../webhook-server/server.js';
import { demoWebhookName, type Registration } from './registration.js';

/** Address of the demo webhook that is not called over a connection. */
const directOrigin = 'https://127.0.0.1';

/** Registrations of the demo webhook that {@link withDirectDemo} answers for. */
export const directDemo: readonly Registration[] = (['mutating', 'validating'] as const).map(phase => ({
  phase,
  webhook: demoWebhookName,
  url: directOrigin + phasePaths[phase],
  caBundle: undefined,
}));

/**
 * Returns a transport that answers calls of the demo webhook as its server does, in this process: certificates, a server and a connection take longer than the
 * review. Other calls, such as those of conversion webhooks in the state, go over the transport that `open` returns.
 */
export function withDirectDemo(open: () => Promise<Transport>): Transport {
  let opened: Promise<Transport> | undefined;
  const callWebhook: CallWebhook = async (call, onStage) => {
    // Checks register the webhook under other names.
    if (call.phase !== 'conversion' && call.url.startsWith(`${directOrigin}/`)) return askHandler(call);
    opened ??= open();
    return (await opened).callWebhook(call, onStage);
  };
  return { callWebhook, close: async () => (await opened)?.close() };
}

async function askHandler(call: WebhookCall): ReturnType<CallWebhook> {
  const start = monotonicMs();
  const sent = Buffer.from(call.body);
  const response = await answer(
    {
      method: 'POST',
      url: call.url.slice(directOrigin.length),
      headers: new Map([['content-type', ['application/json']]]),
      readBody: async limit => ({ bytes: sent.subarray(0, limit), complete: sent.length <= limit }),
    },
    { handler: demo },
  );
  const body = Buffer.from(response.body);
  const headers = response.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    outcome: 'answered',
    statusCode: response.status,
    headers: [...headers, ['date', httpDate()], ['content-length', String(body.length)]],
    body,
    durationMs: monotonicMs() - start,
    auditAnnotations: {},
  };
}
