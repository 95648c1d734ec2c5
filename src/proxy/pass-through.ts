import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { SeenExchange } from './exchange.js';
import { createMessageReader, type HttpMessage } from './http-messages.js';
import { badGateway } from './unreachable.js';
import type { Upstream } from './upstream.js';

/** Observer of a connection, and its clocks. */
export interface Watching {
  readonly onExchange: (exchange: SeenExchange) => void;
  /** Called if the webhook cannot be reached or the connection breaks during a call; returns the message for the client. */
  readonly onUnreachable: (error: Error, wasConnected: boolean) => string;
  readonly now: () => Date;
  /** Monotonic clock, in milliseconds. */
  readonly elapsedMs: () => number;
}

interface Waiting {
  readonly request: HttpMessage;
  readonly at: Date;
  readonly sentMs: number;
}

/** Requests that wait for their answers on a connection: clients that do not pipeline have one. */
const maxWaiting = 100;
const maxWaitingBytes = 64 * 1024 * 1024;

/**
 * Forwards the bytes of a connection to the webhook and its responses back, unchanged. A connection with more requests without an answer than can be kept is closed. Each client connection has its own connection to the webhook, so that both end when either does.
 */
export function passThrough(client: TLSSocket, upstream: Upstream, { onExchange, onUnreachable, now, elapsedMs }: Watching): void {
  const webhook: Socket = upstream.connect();
  const waiting: Waiting[] = [];
  let waitingBytes = 0;
  let at = now();
  let isReady = false;
  /** Why the connection failed; the response to the request, which may arrive later. */
  let failure: Error | undefined;
  const unanswered = (): void => {
    for (const { request, at: asked, sentMs } of waiting.splice(0))
      onExchange({ request, answer: undefined, at: asked, durationMs: elapsedMs() - sentMs, faults: [] });
  };
  const refuse = (error: Error): void => {
    unanswered();
    if (client.writable) client.end(badGateway(onUnreachable(error, false)));
  };
  const requests = createMessageReader({
    type: 'request',
    onStart: () => {
      at = now();
    },
    onMessage: request => {
      waiting.push({ request, at, sentMs: elapsedMs() });
      waitingBytes += request.body?.length ?? 0;
      if (waiting.length > maxWaiting || waitingBytes > maxWaitingBytes) client.destroy();
      if (failure !== undefined) refuse(failure);
    },
  });
  const answers = createMessageReader({
    type: 'response',
    isBodiless: () => waiting[0]?.request.start.startsWith('HEAD ') === true,
    onMessage: answer => {
      const asked = waiting.shift();
      if (asked === undefined) return;
      waitingBytes -= asked.request.body?.length ?? 0;
      onExchange({ request: asked.request, answer, at: asked.at, durationMs: elapsedMs() - asked.sentMs, faults: [] });
    },
  });
  webhook.once(upstream.readyEvent, () => {
    isReady = true;
  });
  client.pipe(webhook);
  webhook.pipe(client);
  // After pipe's own listeners: bytes are sent before they are parsed.
  client.on('data', (bytes: Buffer) => requests.push(bytes));
  webhook.on('data', (bytes: Buffer) => answers.push(bytes));
  webhook.on('end', () => answers.end());
  client.on('error', () => webhook.destroy());
  client.on('close', () => webhook.destroy());
  webhook.on('error', error => {
    // A client that closes the connection first is not an error.
    if (client.destroyed) return;
    if (isReady) {
      if (waiting.length > 0) onUnreachable(error, true);
      client.destroy();
      return;
    }
    failure = error;
    if (waiting.length > 0) refuse(error);
    else if (client.readableEnded) client.destroy();
  });
  // It sends no request that could be refused.
  client.on('end', () => {
    if (failure !== undefined && waiting.length === 0) client.destroySoon();
  });
  webhook.on('close', () => {
    unanswered();
    if (isReady) client.destroySoon();
    // Ending the pipe paused the socket.
    else client.resume();
  });
}
