import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { issueServingPair } from '../../../src/certificates/issue.js';
import { answerUpgrade } from '../support/answer-upgrade.js';

/** A request as the server in a pod gets it. */
export interface SeenRequest {
  readonly line: string;
  /** Lower-case names, sorted. */
  readonly headers: readonly string[];
  readonly body: string;
}

/** Answers one request; `body` is complete. */
export type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Servers of a pod: one without and one with TLS. */
export interface PodServer {
  readonly port: number;
  readonly tlsPort: number;
  /** Requests since the last call. */
  take(): SeenRequest[];
  close(): Promise<void>;
}

/** Starts the servers; paths without an answer are echoed as JSON. */
export async function startPodServer(host: string, answers: ReadonlyMap<string, Answer>): Promise<PodServer> {
  const pair = await issueServingPair({ dns: ['other'], ips: [] }, new Date());
  const seen: SeenRequest[] = [];
  const sockets = new Set<Duplex>();
  const plain = createServer();
  const secure = createTlsServer({ cert: pair.cert, key: pair.key });
  for (const server of [plain, secure]) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('error', () => undefined);
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        seen.push(seenRequest(request, body));
        const answer = answers.get((request.url ?? '').split('?', 1)[0] ?? '') ?? echo;
        answer(request, response, body);
      });
    });
    server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
      seen.push(seenRequest(request, ''));
      answerUpgrade(request, socket, 'websocket');
    });
    for (const event of ['connection', 'secureConnection'])
      server.on(event, (socket: Duplex) => {
        sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => sockets.delete(socket));
      });
  }
  return {
    port: await listen(plain, host),
    tlsPort: await listen(secure, host),
    take: () => seen.splice(0),
    close: async () => {
      const closed = [plain, secure].map(server => new Promise<void>(resolve => server.close(() => resolve())));
      for (const socket of sockets) socket.destroy();
      await Promise.all(closed);
    },
  };
}

async function listen(server: Server, host: string): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

function echo(request: IncomingMessage, response: ServerResponse, body: string): void {
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ asked: `${request.method} ${request.url}`, body: body.length }));
}

function seenRequest(request: IncomingMessage, body: string): SeenRequest {
  const headers: string[] = [];
  const { rawHeaders } = request;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.push(`${(rawHeaders[i] ?? '').toLowerCase()}: ${rawHeaders[i + 1] ?? ''}`);
  return { line: `${request.method} ${request.url} ${request.httpVersion}`, headers: headers.sort(), body: shortened(body) };
}

function shortened(body: string): string {
  return body.length > 1000 ? `${body.length} bytes` : body;
}
