import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { SeenExchange } from './exchange.js';
import { createMessageReader, type HttpMessage } from './http-messages.js';
import { badGateway } from './unreachable.js';
import type { Upstream } from './upstream.js';

/** Observer of a connection, and its clocks. */
export interface Watching {
  readonly onExchange: (exchange: SeenExchange) => void;
  /** Called when the webhook cannot be reached; returns the sentence for the client. */
  readonly onUnreachable: (error: Error) => string;
  readonly now: () => Date;
  /** Monotonic clock, in milliseconds. */
  readonly elapsedMs: () => number;
}

interface Waiting {
  readonly request: HttpMessage;
  readonly at: Date;
  readonly sentMs: number;
}

/**
 * Passes the bytes of a connection on to the webhook, and its answers back, without change. Each connection of the client has one of its own to
 * the webhook, so that both end when either does.
 */
export function passThrough(client: TLSSocket, upstream: Upstream, { onExchange, onUnreachable, now, elapsedMs }: Watching): void {
  const webhook: Socket = upstream.connect();
  const waiting: Waiting[] = [];
  let at = now();
  let isReady = false;
  const requests = createMessageReader({
    type: 'request',
    onStart: () => {
      at = now();
    },
    onMessage: request => waiting.push({ request, at, sentMs: elapsedMs() }),
  });
  const answers = createMessageReader({
    type: 'response',
    isBodiless: () => waiting[0]?.request.start.startsWith('HEAD ') === true,
    onMessage: answer => {
      const asked = waiting.shift();
      if (asked === undefined) return;
      onExchange({ request: asked.request, answer, at: asked.at, durationMs: elapsedMs() - asked.sentMs, faults: [] });
    },
  });
  webhook.once(upstream.readyEvent, () => {
    isReady = true;
  });
  client.pipe(webhook);
  webhook.pipe(client);
  // After pipe's own listeners: bytes leave before they are looked at.
  client.on('data', (bytes: Buffer) => requests.push(bytes));
  webhook.on('data', (bytes: Buffer) => answers.push(bytes));
  webhook.on('end', () => answers.end());
  client.on('error', () => webhook.destroy());
  client.on('close', () => webhook.destroy());
  webhook.on('error', error => {
    if (isReady) client.destroy();
    else if (client.writable) client.end(badGateway(onUnreachable(error)));
  });
  webhook.on('close', () => {
    if (isReady) client.destroySoon();
  });
}
