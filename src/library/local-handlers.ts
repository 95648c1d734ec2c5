import { CliError } from '../client/cli-error.js';
import type { CallWebhook } from '../kubernetes/webhook-call.js';
import { admissionHandler } from '../webhook-server/admission/answer.js';
import type { AdmissionHandler, AdmissionWebhook, InjectorWebhook } from '../webhook-server/api/types.js';
import { ConnectionAborted, type HttpHandler } from '../webhook-server/http/message.js';

/** Address of reviews for an in-process handler; nothing listens there. */
export const localUrl = 'https://handler.localhost/';

/** A handler of admission reviews. */
export type LocalHandler = AdmissionHandler | AdmissionWebhook | InjectorWebhook;

/** Answers reviews with an in-process handler, as its server would. Throws CliError for a value that is not a handler. */
export function callHandler(handler: LocalHandler): CallWebhook {
  const answer = answerOf(handler);
  return async call => {
    const started = performance.now();
    const bytes = new TextEncoder().encode(call.body);
    const durationMs = (): number => performance.now() - started;
    try {
      const response = await answer({
        method: 'POST',
        url: call.url,
        target: { path: '/', escapedPath: '/', rawQuery: `timeout=${call.timeoutSeconds}s`, host: '' },
        headers: new Map([['content-type', ['application/json']]]),
        hasBody: true,
        readBody: async limit => ({ bytes: bytes.subarray(0, limit), complete: bytes.length <= limit }),
      });
      const headers = response.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
      return {
        outcome: 'answered',
        statusCode: response.status,
        headers,
        body: new TextEncoder().encode(response.body),
        durationMs: durationMs(),
      };
    } catch (error) {
      if (!(error instanceof ConnectionAborted)) throw error;
      return { outcome: 'failed', class: 'http', message: `Post "${call.url}": EOF`, durationMs: durationMs() };
    }
  };
}

function answerOf(handler: LocalHandler): HttpHandler {
  const webhook = typeof handler === 'function' ? ({ webhook: 'admission', handler, recoverPanic: true } as const) : handler;
  if (webhook?.webhook === 'injector' && typeof webhook.answer === 'function') return request => webhook.answer(request);
  if (webhook?.webhook !== 'admission' || typeof webhook.handler !== 'function') {
    throw new CliError('usage', 'invalid option handler: expected a function, or what webhook() or injector() returns');
  }
  return admissionHandler(webhook, { onPanic: () => undefined, onError: () => undefined });
}
