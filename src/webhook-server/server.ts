import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { answerConversion, type ObjectConverter } from './answer-conversion.js';
import { answerReview } from './answer-review.js';
import type { Handler } from './handler.js';
import { NoReview } from './read-review.js';

export interface ServerOptions {
  readonly handler: Handler;
  /** Converter for ConversionReviews; without one they are not answered. */
  readonly convert?: ObjectConverter;
  /** PEM texts. */
  readonly cert: string;
  readonly key: string;
  /** Listen address. */
  readonly host: string;
  /** Port; 0 for any free one. */
  readonly port: number;
}

export interface RunningServer {
  /** Origin, such as `https://127.0.0.1:41234`, to which the path of a phase is appended. */
  readonly origin: string;
  readonly port: number;
  /** Waits for running requests, for a second at most, and frees the port. */
  close(): Promise<void>;
}

/** Paths for the reviews of each phase. */
export const phasePaths = { mutating: '/mutate', validating: '/validate' } as const;

/** Path for ConversionReviews. */
export const conversionPath = '/convert';

const maxBodyBytes = 8 * 1024 * 1024;
const maxConnections = 256;
const longestFarewellMs = 1000;

/** Starts the reference webhook server; rejects with the system's error when it cannot listen or the key pair is invalid. */
export async function startServer({ cert, key, host, port, ...answers }: ServerOptions): Promise<RunningServer> {
  const limits = { maxHeaderSize: 16 * 1024, headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 60_000 };
  const server = createServer({ cert, key, ...limits }, (request, response) => void answer(request, response, answers));
  server.maxConnections = maxConnections;
  // A client that disconnects during a handshake is ignored.
  server.on('tlsClientError', (_, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const bound = addressOf(server);
  return {
    origin: `https://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`,
    port: bound.port,
    close: () => close(server),
  };
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address;
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()));
  server.closeIdleConnections();
  const farewell = setTimeout(() => server.closeAllConnections(), longestFarewellMs);
  await closed;
  clearTimeout(farewell);
}

type Answers = Pick<ServerOptions, 'handler' | 'convert'>;

async function answer(request: IncomingMessage, response: ServerResponse, answers: Answers): Promise<void> {
  try {
    const { status, body } = await answerRequest(request, answers);
    const type = status === 200 ? 'application/json' : 'text/plain; charset=utf-8';
    response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) });
    response.end(body);
  } catch {
    // The client disconnected, or sent invalid HTTP.
    response.destroy();
  }
}

async function answerRequest(request: IncomingMessage, answers: Answers): Promise<{ readonly status: number; readonly body: string }> {
  const answerBody = answererAt((request.url ?? '').split('?')[0] ?? '', answers);
  if (answerBody === undefined) return { status: 404, body: `not found: this server handles ${pathsOf(answers)}\n` };
  if (request.method !== 'POST') return { status: 405, body: 'method not allowed: reviews must be sent with POST\n' };
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? ''))
    return { status: 415, body: 'unsupported media type: reviews must be application/json\n' };
  const body = await readBody(request);
  if (body === undefined) return { status: 413, body: `request body larger than ${maxBodyBytes} bytes\n` };
  try {
    return { status: 200, body: answerBody(body) };
  } catch (error) {
    return error instanceof NoReview ? { status: 400, body: `${error.message}\n` } : { status: 500, body: `${String(error)}\n` };
  }
}

/** Returns the handler of a path. Reviews sent to any other path are validating ones. */
function answererAt(path: string, { handler, convert }: Answers): ((body: string) => string) | undefined {
  if (path === phasePaths.mutating) return body => answerReview(body, 'mutating', handler);
  if (path === phasePaths.validating || path === '/') return body => answerReview(body, 'validating', handler);
  return path === conversionPath && convert !== undefined ? body => answerConversion(body, convert) : undefined;
}

function pathsOf({ convert }: Answers): string {
  const { mutating, validating } = phasePaths;
  return convert === undefined ? `${mutating} and ${validating}` : `${mutating}, ${validating} and ${conversionPath}`;
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > maxBodyBytes) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
