import { Buffer } from 'node:buffer';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';

/** Text of a recorded request: pieces one after another. */
export type Pieces = string | Piece | readonly (string | Piece)[];

type Piece = { readonly repeat: string; readonly times: number } | { readonly base64: string };

export interface RecordedCase {
  readonly name: string;
  readonly listener?: 'health' | 'metrics';
  readonly anyOrder?: boolean;
  readonly request: {
    readonly method?: string;
    readonly target: string;
    readonly version?: string;
    readonly headers?: readonly (readonly [string, Pieces])[];
    readonly body?: Pieces;
    readonly raw?: Pieces;
    readonly chunked?: readonly number[];
    readonly alpn?: readonly string[];
  };
  readonly response: {
    readonly status?: number;
    readonly headers?: readonly (readonly [string, string])[];
    readonly body?: string;
    readonly closed?: boolean;
  };
}

/** Answer of a server; status 0 for a closed connection. */
export interface Received {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** The bytes of a text in pieces. */
export function bytesOf(pieces: Pieces): Buffer {
  const list = Array.isArray(pieces) ? (pieces as readonly (string | Piece)[]) : [pieces as string | Piece];
  return Buffer.concat(
    list.map(piece => {
      if (typeof piece === 'string') return Buffer.from(piece);
      return 'repeat' in piece ? Buffer.from(piece.repeat.repeat(piece.times)) : Buffer.from(piece.base64, 'base64');
    }),
  );
}

/** True for a request that Node's HTTP client can send as it was recorded. */
export function isSendable({ request }: RecordedCase): boolean {
  const { raw, version, alpn, target, chunked, headers = [] } = request;
  const isPlain =
    raw === undefined &&
    version === undefined &&
    alpn === undefined &&
    chunked === undefined &&
    /^[!-~]+$/.test(target) &&
    target.startsWith('/');
  return (
    isPlain &&
    headers.every(([name, value]) => typeof value === 'string' && name.toLowerCase() !== 'host') &&
    new Set(headers.map(([name]) => name.toLowerCase())).size === headers.length
  );
}

const agent = new Agent({ keepAlive: true, maxSockets: 4, rejectUnauthorized: false });

/** Sends a recorded request. */
export function send(origin: string, { request }: RecordedCase): Promise<Received> {
  const body = request.body === undefined ? undefined : bytesOf(request.body);
  const headers: Record<string, string | number> = Object.fromEntries(
    (request.headers ?? []).map(([name, value]) => [name, String(value)]),
  );
  if (body !== undefined) headers['Content-Length'] = body.length;
  const url = new URL(origin);
  const options = { host: url.hostname, port: url.port, path: request.target, method: request.method ?? 'POST', headers };
  return new Promise(resolve => {
    const sent = url.protocol === 'https:' ? httpsRequest({ ...options, agent }) : httpRequest(options);
    sent.on('response', (response: IncomingMessage) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const fields = new Map(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
        resolve({ status: response.statusCode ?? 0, headers: fields, body: Buffer.concat(parts).toString() });
      });
    });
    sent.on('error', () => resolve({ status: 0, headers: new Map(), body: '' }));
    sent.end(body);
  });
}

/** Closes the idle connections. */
export function closeConnections(): void {
  agent.destroy();
}
