import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { RefusedRequest, requestRefusal } from '../webhook-server/http/request-head.js';
import { placeholdersOf } from '../webhook-server/script/body.js';
import { endSecured } from '../webhook-server/script/channel.js';
import type { Ending } from '../webhook-server/script/script.js';
import { send } from '../webhook-server/script/send.js';
import type { ChosenFaults } from './faults.js';
import { createMessageReader, type HttpMessage } from './http-messages.js';
import type { Watching } from './pass-through.js';
import { badGateway } from './unreachable.js';
import type { Upstream } from './upstream.js';

/** A client connection: TLS over its socket. */
export interface ClientConnection {
  readonly secured: TLSSocket;
  readonly socket: Socket;
}

export interface Gate extends Watching {
  readonly choose: (request: HttpMessage) => ChosenFaults;
  /** Aborted when the proxy closes. */
  readonly closed: AbortSignal;
}

/** Forwards complete requests and responses one after another, and injects faults. */
export async function serveGated(client: ClientConnection, upstream: Upstream, gate: Gate): Promise<void> {
  const { secured } = client;
  // A client that sends requests before it has answers waits: only the first of them are read.
  const requests = messageQueue({ onWaiting: () => secured.pause(), onEmpty: () => secured.resume() });
  let isLost = false;
  const lose = (): void => {
    isLost = true;
    requests.end();
  };
  const reader = createMessageReader({ type: 'request', onMessage: requests.push, onLost: lose });
  secured.on('data', (bytes: Buffer) => reader.push(bytes));
  for (const event of ['end', 'close', 'error']) secured.on(event, requests.end);
  const asking = askerOf(upstream);
  secured.on('close', asking.close);
  try {
    for (let request = await requests.next(); request !== undefined; request = await requests.next()) {
      const ending = await answerOne(request, client, { gate, ask: asking.ask });
      if (ending === 'hang') return;
      if (ending === 'keep') continue;
      endSecured(secured, client.socket, ending);
      // Further requests are not read, but the end of the client is.
      secured.removeAllListeners('data').on('data', () => undefined);
      return void secured.resume();
    }
    secured.end(isLost ? requestRefusal(new RefusedRequest('400 Bad Request')) : '');
  } finally {
    if (secured.destroyed) asking.close();
  }
}

interface Answering {
  readonly gate: Gate;
  readonly ask: (request: HttpMessage) => Promise<HttpMessage | Error>;
}

async function answerOne(request: HttpMessage, { secured }: ClientConnection, { gate, ask }: Answering): Promise<Ending> {
  const { onExchange, onUnreachable, now, elapsedMs, closed } = gate;
  const { texts, delayMs, instead, altered } = gate.choose(request);
  const [at, start] = [now(), elapsedMs()];
  const seen = (answer: HttpMessage | undefined): void =>
    onExchange({ request, answer, at, durationMs: elapsedMs() - start, faults: texts });
  const write = (bytes: Uint8Array | string): Promise<void> =>
    new Promise((resolve, reject) => secured.write(bytes, error => (error ? reject(error) : resolve())));
  const play = (script: NonNullable<typeof instead>): Promise<Ending> =>
    send(script, { channel: { write }, placeholders: placeholdersOf(request.body ?? Buffer.alloc(0)), closed });
  const wait = async (): Promise<void> => {
    if (delayMs > 0) await sleep(delayMs, undefined, { signal: closed });
  };
  if (instead !== undefined) {
    seen(undefined);
    await wait();
    return play(instead);
  }
  const answer = await ask(request);
  if (answer instanceof Error) {
    seen(undefined);
    await write(badGateway(onUnreachable(answer, false)));
    return 'close';
  }
  seen(answer);
  await wait();
  if (altered !== undefined) return play(altered(answer));
  await write(bytesOf(answer));
  return isClosing(request) || isClosing(answer) ? 'close' : 'keep';
}

/** Reports whether the connection ends with this message. */
function isClosing({ start, headers }: HttpMessage): boolean {
  return start.includes('HTTP/1.0') || headers.some(([name, value]) => name.toLowerCase() === 'connection' && /\bclose\b/i.test(value));
}

/** The message with its own headers; a chunked body becomes one chunk. */
function bytesOf({ start, headers, body = Buffer.alloc(0) }: HttpMessage): Buffer {
  const head = Buffer.from(`${[start, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\r\n')}\r\n\r\n`, 'latin1');
  const isChunked = headers.some(([name, value]) => name.toLowerCase() === 'transfer-encoding' && /chunked$/i.test(value));
  if (!isChunked) return Buffer.concat([head, body]);
  const chunk = body.length === 0 ? [] : [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')];
  return Buffer.concat([head, ...chunk, Buffer.from('0\r\n\r\n')]);
}

/** Sends requests over one connection, opened again after the webhook closed it. */
function askerOf(upstream: Upstream): { readonly ask: Answering['ask']; readonly close: () => void } {
  let open: { readonly socket: Socket; readonly answers: MessageQueue } | undefined;
  const connected = (): NonNullable<typeof open> => {
    if (open !== undefined) return open;
    const socket = upstream.connect();
    // One answer a request: a webhook that sends more of them has lost its place.
    const answers = messageQueue({ onWaiting: () => socket.destroy(new Error('the webhook sent an answer without a request')) });
    const lose = (): unknown => socket.destroy(new Error('the answer of the webhook is not HTTP/1.1'));
    const reader = createMessageReader({ type: 'response', onMessage: answers.push, onLost: lose });
    const current = { socket, answers };
    const forget = (): void => {
      if (open === current) open = undefined;
    };
    socket.on('data', (bytes: Buffer) => reader.push(bytes));
    socket.on('end', () => {
      forget();
      reader.end();
      answers.end();
      socket.end();
    });
    socket.on('error', error => {
      forget();
      answers.fail(error);
    });
    socket.on('close', () => {
      forget();
      answers.end();
    });
    open = current;
    return current;
  };
  const askOnce = async (request: HttpMessage): Promise<HttpMessage | Error> => {
    const { socket, answers } = connected();
    socket.write(bytesOf(request));
    try {
      return (await answers.next()) ?? new Error('the webhook closed the connection without a response');
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  };
  return {
    ask: async request => {
      if (request.body === undefined) return new Error('the request is longer than 32 MiB');
      const isReused = open !== undefined;
      const answer = await askOnce(request);
      // A webhook may close a kept connection at any time: Go's client retries, too.
      return isReused && answer instanceof Error ? askOnce(request) : answer;
    },
    close: () => open?.socket.destroy(),
  };
}

interface MessageQueue {
  readonly push: (message: HttpMessage) => void;
  readonly end: () => void;
  readonly fail: (error: Error) => void;
  /** Resolves with the next message, or undefined at the end. Rejects if the connection fails. */
  readonly next: () => Promise<HttpMessage | undefined>;
}

interface QueueListeners {
  /** Called when a message arrives that nothing waits for. */
  readonly onWaiting: () => void;
  /** Called when the last message has been taken. */
  readonly onEmpty?: () => void;
}

function messageQueue({ onWaiting, onEmpty }: QueueListeners): MessageQueue {
  const messages: HttpMessage[] = [];
  let isOver = false;
  let isAwaited = false;
  let failure: Error | undefined;
  let wake = (): void => {};
  const signal = (): void => wake();
  return {
    push: message => {
      messages.push(message);
      if (!isAwaited) onWaiting();
      isAwaited = false;
      signal();
    },
    end: () => {
      isOver = true;
      signal();
    },
    fail: error => {
      failure ??= error;
      signal();
    },
    async next() {
      for (;;) {
        const message = messages.shift();
        if (message !== undefined) {
          if (messages.length === 0) onEmpty?.();
          return message;
        }
        if (failure !== undefined) throw failure;
        if (isOver) return undefined;
        isAwaited = true;
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
    },
  };
}
