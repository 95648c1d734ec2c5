import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { issueServingPair } from '../../../src/certificates/issue.js';

/** A request as an aggregated API server gets it. */
export interface SeenRequest {
  readonly line: string;
  /** Lower-case names, sorted by name. */
  readonly headers: readonly string[];
  /** Common name of the client's certificate. */
  readonly client: string;
  readonly body: string;
}

/** Answers one request; `body` is complete. */
export type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

export interface AggregatedServer {
  readonly port: number;
  /** PEM of its authority in base64. */
  readonly caBundle: string;
  /** Requests since the last call, without those of the API server's own checks. */
  take(): SeenRequest[];
  /** Replaces the answers by path. */
  answers: Map<string, Answer>;
  onUpgrade: (request: IncomingMessage, socket: Duplex) => void;
  close(): Promise<void>;
}

/** Starts a server for a service on loopback that speaks HTTP/2 and HTTP/1.1; paths without an answer are 404. */
export async function startAggregatedServer(dns: readonly string[], answers: Map<string, Answer>): Promise<AggregatedServer> {
  const pair = await issueServingPair({ dns: [...dns], ips: [] }, new Date());
  const seen: SeenRequest[] = [];
  const sockets = new Set<Duplex>();
  const server = createSecureServer({ cert: pair.cert, key: pair.key, allowHTTP1: true, requestCert: true, rejectUnauthorized: false });
  server.on('request', (given, reply) => {
    const request = given as unknown as IncomingMessage;
    const response = reply as unknown as ServerResponse;
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      seen.push(seenRequest(request, body));
      const path = (request.url ?? '').split('?', 1)[0] ?? '';
      const answer = running.answers.get(path) ?? notFound;
      answer(request, response, body);
    });
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    seen.push(seenRequest(request, ''));
    running.onUpgrade(request, socket);
  });
  server.on('connection', socket => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('sessionError', () => undefined);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const running: AggregatedServer = {
    port: (server.address() as AddressInfo).port,
    caBundle: Buffer.from(pair.ca).toString('base64'),
    take: () =>
      seen.splice(0).filter(({ headers }) => !headers.some(header => /^x-remote-user: system:(?:kube-)?aggregator$/.test(header))),
    answers,
    onUpgrade: (_, socket) => socket.destroy(),
    close: async () => {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return running;
}

/** Answers with JSON. */
export function json(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string | string[]>> = {},
): void {
  response.statusCode = status;
  for (const [key, value] of Object.entries({ 'Content-Type': 'application/json', ...headers })) response.setHeader(key, value);
  response.end(JSON.stringify(body));
}

function notFound(_: IncomingMessage, response: ServerResponse): void {
  response.statusCode = 404;
  response.setHeader('Content-Type', 'text/plain');
  response.end('nothing here\n');
}

function seenRequest(request: IncomingMessage, body: string): SeenRequest {
  const headers: string[] = [];
  const { rawHeaders } = request;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.push(`${(rawHeaders[i] ?? '').toLowerCase()}: ${rawHeaders[i + 1] ?? ''}`);
  const socket = request.socket as TLSSocket;
  const subject = socket.getPeerCertificate?.()?.subject as { CN?: string } | undefined;
  return {
    line: `${request.method} ${request.url} ${request.httpVersion}`,
    headers: headers.sort(),
    client: subject?.CN ?? '',
    body,
  };
}
