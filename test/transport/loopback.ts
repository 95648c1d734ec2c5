import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { type InMemoryCertificates, issueServingPair } from '../../src/certificates/issue.js';
import type { WebhookAnswer, WebhookCall } from '../../src/kubernetes/webhook-call.js';
import { createTransport, type TransportOptions } from '../../src/transport/call-webhook.js';

let shared: Promise<InMemoryCertificates> | undefined;

/** One CA and one certificate for all test servers: localhost, 127.0.0.1, ::1 and `hook.team.svc`. */
export function certificates(): Promise<InMemoryCertificates> {
  shared ??= issueServingPair({ dns: ['hook.team.svc'], ips: [] }, new Date());
  return shared;
}

/** Handler of a connection; for a TLS server with the decrypted socket. */
export type Behaviour = (socket: Socket | TLSSocket) => void;

const running = new Set<{ readonly server: Server; readonly sockets: Set<Socket> }>();

/** A server below TLS on a free port; closed by {@link closeServers}. */
export async function listen(behave: Behaviour): Promise<number> {
  return started(createServer({ allowHalfOpen: true }, behave));
}

/** A TLS server; its handler gets the decrypted socket. */
export async function listenTls(behave: Behaviour, options: TlsOptions = {}): Promise<number> {
  const { cert, key } = await certificates();
  const server = createTlsServer({ cert, key, ALPNProtocols: ['http/1.1'], ...options }, behave);
  server.on('tlsClientError', () => undefined);
  return started(server);
}

export async function started(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  running.add({ server, sockets });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

export function closeServers(): void {
  for (const { server, sockets } of running) {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
  running.clear();
}

/** Reads one request after the other and hands its text to `answer`, which writes to the socket. */
export function onRequest(answer: (socket: Socket, request: string, nth: number) => void): Behaviour {
  return socket => {
    let text = '';
    let nth = 0;
    socket.on('error', () => undefined);
    socket.on('data', bytes => {
      text += bytes.toString('latin1');
      for (;;) {
        const head = text.indexOf('\r\n\r\n');
        const length = head < 0 ? 0 : Number(/^content-length: (\d+)/im.exec(text.slice(0, head))?.[1] ?? 0);
        if (head < 0 || text.length < head + 4 + length) return;
        answer(socket, text.slice(0, head + 4 + length), nth);
        nth += 1;
        text = text.slice(head + 4 + length);
      }
    });
  };
}

/** A complete answer with a body of known length. */
export function ok(body: string, ...fields: readonly string[]): string {
  return ['HTTP/1.1 200 OK', ...fields, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n');
}

/** Parts of a call; the caBundle is PEM text. */
type CallChanges = Partial<Omit<WebhookCall, 'caBundle'>> & { readonly caBundle?: string };

/** A call by URL; PORT in the URL is replaced by `port`. */
export function call(port: number, { caBundle, ...changes }: CallChanges = {}): WebhookCall {
  const url = (changes.url ?? 'https://127.0.0.1:PORT/validate?timeout=10s').replace('PORT', String(port));
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    phase: 'validating',
    configuration: 'hooks',
    webhook: 'hook.example.com',
    address: { host, port },
    serverName: host,
    caBundle: caBundle === undefined ? undefined : Buffer.from(caBundle),
    timeoutSeconds: 10,
    deadlineMs: 5_000,
    apiVersion: 'admission.k8s.io/v1',
    uid: 'u',
    body: '{}',
    ...changes,
    url,
  };
}

/** Returns the status and the body, or Go's message, with the port as PORT and the client's as CLIENT. */
export async function answerOf(port: number, changes: CallChanges = {}, options: TransportOptions = {}): Promise<string> {
  const { ca } = await certificates();
  const transport = createTransport(options);
  const answer = await transport.callWebhook(call(port, { caBundle: ca, ...changes }));
  await transport.close();
  return textOf(answer, port);
}

export function textOf(answer: WebhookAnswer, port: number): string {
  if (answer.outcome === 'answered') return `${answer.statusCode} ${Buffer.from(answer.body).toString()}`;
  return answer.message.replaceAll(`:${port}`, ':PORT').replace(/127\.0\.0\.1:\d+->/, 'CLIENT->');
}
