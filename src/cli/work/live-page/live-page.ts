import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guardedListener, keepAccepting } from '../../shell/guarded-listener.js';
import type { OutputStream, Surroundings } from '../../shell/surroundings.js';
import { openPrivateAddress } from './private-address.js';
import { jsonReceiver, type TakeJson } from './receive-json.js';

/** A page that is kept up to date in the browser. */
export interface LivePage {
  /** Contains a token: only those who know the address get the page. */
  readonly address: string;
  /** Replaces the page, and tells open browsers. */
  readonly update: () => void;
  close(): Promise<void>;
}

/** Time between comments that keep connections open, in milliseconds. */
const beatMs = 15_000;

/**
 * Serves a page on a free port of the loopback interface, with events that say when there is a newer one. `page` writes the current page, given the address of the
 * events. Requests without the token, or by another host name, are refused. `take` gets what the page sends.
 */
export async function servePage(page: (events: string) => string, stderr: Pick<OutputStream, 'write'>, take?: TakeJson): Promise<LivePage> {
  const token = randomBytes(24).toString('base64url');
  const listeners = new Set<ServerResponse>();
  const receive = take === undefined ? undefined : jsonReceiver(take, stderr);
  const answer: RequestListener = (request, response) => {
    const [, given = '', name = ''] = (request.url ?? '').split('?', 1)[0]?.split('/') ?? [];
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cache-Control', 'no-store');
    if (!isOwnHost(request.headers.host) || !isSame(given, token)) return end(response, 404);
    if (request.method === 'POST' && name === 'calls' && receive !== undefined) return receive(request, response);
    if (request.method !== 'GET') return end(response, 404);
    if (name === 'events') return listen(response);
    if (name !== '') return end(response, 404);
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    end(response, 200, page(`/${token}/events`));
  };
  const server = createServer(guardedListener(answer, stderr));
  function listen(response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(': open\n\n');
    listeners.add(response);
    response.on('close', () => listeners.delete(response));
  }
  const send = (text: string): void => {
    for (const listener of listeners) listener.write(text);
  };
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  keepAccepting(server, stderr);
  const { port } = server.address() as AddressInfo;
  const beat = setInterval(() => send(': open\n\n'), beatMs);
  return {
    address: `http://127.0.0.1:${port}/${token}/`,
    update: () => send('event: page\ndata: new\n\n'),
    close: () =>
      new Promise(resolve => {
        clearInterval(beat);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Serves a page, prints its address and opens it in the browser. */
export async function openLivePage(
  page: (events: string) => string,
  surroundings: Pick<Surroundings, 'env' | 'stderr'>,
  take?: TakeJson,
): Promise<LivePage> {
  const served = await servePage(page, surroundings.stderr, take);
  surroundings.stderr.write(`page: ${served.address}\n`);
  const forget = await openPrivateAddress(served.address, surroundings);
  return {
    ...served,
    close: () => {
      forget();
      return served.close();
    },
  };
}

/** A page of another site may reach the port under a name of its own. */
function isOwnHost(host = ''): boolean {
  return /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(host);
}

function isSame(given: string, token: string): boolean {
  return given.length === token.length && timingSafeEqual(Buffer.from(given), Buffer.from(token));
}

function end(response: ServerResponse, status: number, body?: string): void {
  response.statusCode = status;
  response.end(body);
}
