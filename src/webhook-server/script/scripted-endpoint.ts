import { once, setMaxListeners } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createSecureContext, type SecureVersion } from 'node:tls';
import { ownMember } from '../../go/own-members.js';
import { memoize } from '../../kubernetes/memoize.js';
import { placeholdersOf } from './body.js';
import { type Channel, openTlsChannel, plainChannel, type ServerTls } from './channel.js';
import { allow, type Behaviour, type ConnectionScript, type HttpScript, type RawScript, type Script } from './script.js';
import { send } from './send.js';

/** Certificate and TLS options of an endpoint, as PEM texts. */
export interface EndpointCertificate {
  /** Leaf first. */
  readonly chain: string;
  readonly key: string;
  /** OpenSSL cipher list. */
  readonly ciphers?: string | undefined;
  readonly minimum?: SecureVersion | undefined;
  readonly maximum?: SecureVersion | undefined;
  /** Requires a client certificate of this authority. */
  readonly clientCA?: string | undefined;
}

/** A running scripted endpoint. */
export interface ScriptedEndpoint {
  readonly port: number;
  /** Received requests, in order. */
  readonly calls: readonly ReceivedRequest[];
  /** Closes every connection, including hanging ones, and frees the port. */
  close(): Promise<void>;
}

/** Listen address; any free loopback port if absent. */
export interface ListenAddress {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Keeps no received requests: `calls` stays empty. */
  readonly forgetsCalls?: boolean;
}

/**
 * Starts an endpoint, with plain HTTP if there is no certificate. Rejects when the certificate is invalid, and with the system's error when
 * it cannot listen.
 */
export async function startScriptedEndpoint(
  script: Script,
  certificate: EndpointCertificate | undefined,
  { forgetsCalls = false, ...address }: ListenAddress = { host: '127.0.0.1', port: 0 },
): Promise<ScriptedEndpoint> {
  if (script.endpoint?.kind === 'refuse') return { calls: [], ...(await takeRefusedPort(address)) };
  const tls = certificate && serverTls(certificate);
  const playing: Playing = { script, tls, calls: [], forgetsCalls, turns: new Map(), closing: new AbortController() };
  // Every delayed answer adds a listener.
  setMaxListeners(0, playing.closing.signal);
  const sockets = new Set<Socket>();
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, socket => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    // Clients that disconnect early are expected.
    serve(socket, playing).catch(() => socket.destroy());
  });
  server.listen(address.port, address.host);
  await once(server, 'listening');
  // Beyond the limit of open files, the system closes new connections: the server goes on with the others.
  server.on('error', () => undefined);
  return {
    port: (server.address() as AddressInfo).port,
    calls: playing.calls,
    async close() {
      playing.closing.abort();
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Playing {
  readonly script: Script;
  readonly tls: ServerTls | undefined;
  readonly calls: ReceivedRequest[];
  readonly forgetsCalls: boolean;
  /** Number of requests per path. */
  readonly turns: Map<string, number>;
  readonly closing: AbortController;
}

/** Memoized for endpoints that share a certificate: reading its key takes longer than a call. */
const serverTls = memoize(({ chain, key, ciphers, minimum, maximum, clientCA }: EndpointCertificate): ServerTls => {
  const secureContext = createSecureContext({
    cert: chain,
    key,
    minVersion: minimum ?? 'TLSv1.2',
    ...(maximum === undefined ? {} : { maxVersion: maximum }),
    ...(ciphers === undefined ? {} : { ciphers }),
    ca: clientCA ?? [],
  });
  return { secureContext, requestCert: clientCA !== undefined };
});

async function serve(socket: Socket, playing: Playing): Promise<void> {
  const { endpoint } = playing.script;
  if (endpoint?.kind === 'connection') return playConnection(plainChannel(socket), endpoint);
  const channel = playing.tls === undefined ? plainChannel(socket) : await openTlsChannel(socket, playing.tls);
  if (channel === undefined) return;
  while (await answerOne(channel, playing)) {
    // The next request on the same connection.
  }
}

async function playConnection(channel: Channel, { read, bytesBase64, ending }: ConnectionScript): Promise<void> {
  // A client in this process must see the connection before it sees its end.
  await nextTurn();
  if (read === 'client-hello') {
    const header = await channel.take(5);
    const record = header && (await channel.take(header.readUInt16BE(3)));
    if (record === undefined) return channel.end('close');
  }
  if (bytesBase64 !== undefined && bytesBase64 !== '') await channel.write(Buffer.from(bytesBase64, 'base64'));
  channel.end(ending);
}

/** Sends the answer to one request; false when the connection is closed. */
async function answerOne(channel: Channel, playing: Playing): Promise<boolean> {
  const request = await readRequest(channel);
  if (request === undefined) {
    channel.end('close');
    return false;
  }
  if (!playing.forgetsCalls) playing.calls.push(request);
  const script = nextAnswer(request.path.split('?', 1)[0] ?? '', playing);
  const ending = await send(script, { channel, placeholders: placeholdersOf(request.body), closed: playing.closing.signal });
  channel.end(ending);
  return ending === 'keep';
}

/** Clients choose the paths of which turns are counted. */
const maxPaths = 10_000;
/** Of the lines before a body. */
const maxHeadBytes = 1024 * 1024;
const maxBodyBytes = 64 * 1024 * 1024;

/** Returns the answer to the next request for a path. */
export function nextAnswer(path: string, { script, turns }: Pick<Playing, 'script' | 'turns'>): HttpScript | RawScript {
  const behavior = behaviorFor(path, script);
  if (behavior.kind !== 'sequence') return behavior;
  const turn = turns.get(path) ?? 0;
  if (turn > 0 || turns.size < maxPaths) turns.set(path, turn + 1);
  return behavior.answers[turn] ?? behavior.answers.at(-1) ?? allow;
}

function behaviorFor(path: string, { endpoint, path: own, routes = {} }: Script): Behaviour {
  const route = ownMember(routes, path);
  if (route !== undefined) return route;
  const isBehaviour = endpoint !== undefined && endpoint.kind !== 'connection' && endpoint.kind !== 'refuse';
  return isBehaviour && (own === undefined || own === path) ? endpoint : allow;
}

/** A loopback port that refuses connections until it is freed. */
interface RefusedPort {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Reserves a port as the local end of a connection: it is in use, and connections to it are refused. 0 reserves any free one; rejects with
 * the system's error when the port is in use.
 */
async function takeRefusedPort({ host, port } = { host: '127.0.0.1', port: 0 }): Promise<RefusedPort> {
  const server = createServer(socket => socket.on('error', () => socket.destroy()).resume());
  server.listen(0, host);
  await once(server, 'listening');
  const near = port === 0 ? {} : { localPort: port };
  const socket = connect({ port: (server.address() as AddressInfo).port, host, ...near });
  try {
    await once(socket, 'connect');
  } catch (error) {
    server.close();
    throw error;
  }
  return {
    port: socket.localPort ?? 0,
    async close() {
      socket.resetAndDestroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A received request. */
interface ReceivedRequest {
  readonly method: string;
  /** Path and query of the request line. */
  readonly path: string;
  /** As received, in order. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** Reads one HTTP/1 request; undefined when the connection ends before, and for one that has no end or is too long. */
async function readRequest(channel: Channel): Promise<ReceivedRequest | undefined> {
  const requestLine = await channel.takeLine();
  if (requestLine === undefined) return undefined;
  const [method = '', path = ''] = requestLine.split(' ');
  const headers: [string, string][] = [];
  for (let length = 0; ; ) {
    const line = await channel.takeLine();
    length += line?.length ?? 0;
    if (line === undefined || length > maxHeadBytes) return undefined;
    if (line === '') break;
    const colon = line.indexOf(':');
    headers.push([line.slice(0, colon), line.slice(colon + 1).trim()]);
  }
  const header = (name: string): string => headers.find(([n]) => n.toLowerCase() === name)?.[1] ?? '';
  const isChunked = header('transfer-encoding').toLowerCase() === 'chunked';
  const length = header('content-length') || '0';
  if (!isChunked && !/^\d+$/.test(length)) return undefined;
  const body = isChunked ? await readChunks(channel) : await channel.take(Number(length));
  return body && { method, path, headers, body };
}

async function readChunks(channel: Channel): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  for (let length = 0; ; ) {
    const size = Number.parseInt((await channel.takeLine()) ?? '', 16);
    length += size;
    if (!(size >= 0 && length <= maxBodyBytes)) return undefined;
    const chunk = await channel.take(size);
    const end = await channel.takeLine();
    if (chunk === undefined || end === undefined) return undefined;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(chunk);
  }
}
