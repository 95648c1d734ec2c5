import { createHash } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WatchFrame, WatchStream } from '../../apiserver/report/serving.js';
import { frameIn, frameOf, opcodes, webSocketGuid } from '../../encoding/web-socket-frames.js';
import { type Backlog, newEventQueue } from './event-queue.js';

const normalClosure = 1000;
const protocolError = 1002;
/** Max unsent answers to pings, with an event. */
const maxWaitingBytes = 16 * 1024 * 1024;
/** Clients have nothing to send; longer messages end the connection. */
const maxReceivedBytes = 64 * 1024;

/** Reports whether a request asks for a WebSocket. Source: apimachinery util/httpstream/wsstream IsWebSocketRequest. */
export function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && (headers.connection ?? '').toLowerCase().includes('upgrade');
}

/**
 * Sends a watch over a WebSocket, an event a message, until the client closes it or the watch times out. Source: apiserver
 * handlers/watch.go HandleWS, golang.org/x/net/websocket.
 */
export function sendOverWebSocket(request: IncomingMessage, socket: Duplex, stream: WatchStream, backlog: Backlog): void {
  if (!acceptWebSocket(request, socket)) return;
  const isText = !stream.contentType.includes('protobuf');
  let stop: () => void = () => undefined;
  let isOver = false;
  const queue = newEventQueue((frames, written) => {
    for (const [i, frame] of frames.entries()) {
      // Messages need no length before them.
      const payload = isText ? Buffer.from(frame) : Buffer.from(frame as Uint8Array).subarray(4);
      socket.write(frameOf(isText ? opcodes.text : opcodes.binary, payload), i === frames.length - 1 ? written : undefined);
    }
  }, backlog);
  const finish = (status?: number): void => {
    if (isOver) return;
    isOver = true;
    stop();
    queue.clear();
    if (status === undefined) socket.destroy();
    else socket.end(frameOf(opcodes.close, Buffer.from([status >> 8, status & 0xff])));
  };
  const pong = (payload: Uint8Array): void => {
    if (isOver) return;
    socket.write(frameOf(opcodes.pong, payload));
    // The client does not read its answers.
    if (socket.writableLength > maxWaitingBytes) finish();
  };
  socket.on('close', () => finish());
  socket.on('error', () => finish());
  readFrames(socket, { pong, close: finish });
  const send = (frames: readonly WatchFrame[]): boolean => {
    if (isOver) return false;
    if (queue.send(frames)) return true;
    finish();
    return false;
  };
  stop = stream.start({ send, end: () => isOver || queue.finish(() => finish(normalClosure)) });
  if (isOver) stop();
}

/** Answers the handshake; returns whether it was accepted. With `supported`, the client must ask for this protocol. */
export function acceptWebSocket(request: IncomingMessage, socket: Duplex, supported?: string): boolean {
  const protocols = protocolsOf(request.headers['sec-websocket-protocol']);
  const isOther = supported !== undefined && !protocols.includes(supported);
  const refusal = isOther
    ? { code: 403, message: '' }
    : (versionRefusal(request) ?? (supported === undefined ? originRefusal(request) : undefined));
  if (refusal !== undefined) socket.end(`HTTP/1.1 ${refusal.code} ${STATUS_CODES[refusal.code]}\r\n\r\n${refusal.message}`);
  else socket.write(`${handshake(request, supported ?? protocols[0]).join('\r\n')}\r\n\r\n`);
  return refusal === undefined;
}

interface Refusal {
  readonly code: number;
  readonly message: string;
}

/** Source: websocket/hybi.go ReadHandshake, AcceptHandshake; server.go checkOrigin. */
function versionRefusal({ headers }: IncomingMessage): Refusal | undefined {
  if ((headers['sec-websocket-key'] ?? '') === '') return { code: 400, message: 'mismatch challenge/response' };
  return headers['sec-websocket-version'] === '13' ? undefined : { code: 400, message: 'missing or bad WebSocket Version' };
}

/** Watches only: a kubelet does not look at the origin, and chooses among the protocols. */
function originRefusal({ headers }: IncomingMessage): Refusal | undefined {
  const origin = headers.origin ?? '';
  if (!origin.startsWith('/') && !/^[a-z][a-z0-9+.-]*:/i.test(origin)) return { code: 403, message: '' };
  return protocolsOf(headers['sec-websocket-protocol']).length > 1 ? { code: 400, message: '' } : undefined;
}

/** The protocol that carries a token is not one to choose. */
function protocolsOf(header: string | undefined): readonly string[] {
  const named = (header ?? '').split(',').map(text => text.trim());
  return named.filter(text => text !== '' && !text.startsWith('base64url.bearer.authorization.k8s.io.'));
}

function handshake({ headers }: IncomingMessage, protocol: string | undefined): string[] {
  const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${webSocketGuid}`).digest('base64');
  return [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept}`,
    ...(protocol === undefined ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
  ];
}

interface Received {
  /** Binary messages; other clients have nothing to send. */
  readonly message?: (payload: Buffer) => void;
  readonly pong: (payload: Uint8Array) => void;
  readonly close: (status: number) => void;
}

/** Reads the client's frames, of which each is a whole message. Frames of clients are masked. */
export function readFrames(socket: Duplex, { message, pong, close }: Received): void {
  let waiting = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    // The client sends more after the end.
    if (socket.writableEnded) return void socket.destroy();
    waiting = Buffer.concat([waiting, chunk]);
    for (let frame = frameIn(waiting); frame !== undefined; frame = frameIn(waiting)) {
      waiting = waiting.subarray(frame.size);
      if (!frame.isMasked) return close(protocolError);
      if (frame.opcode === opcodes.close) return close(normalClosure);
      if (frame.opcode === opcodes.ping) pong(frame.payload);
      if (frame.opcode === opcodes.binary) message?.(frame.payload);
    }
    if (waiting.length > maxReceivedBytes) close(protocolError);
  });
}
