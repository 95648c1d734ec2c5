import { createHash } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WatchStream } from '../../apiserver/report/serving.js';

const opcodes = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
const normalClosure = 1000;
const protocolError = 1002;
/** Max unsent bytes of a watch; it is closed when a slow client exceeds them. */
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
export function sendOverWebSocket(request: IncomingMessage, socket: Duplex, stream: WatchStream): void {
  const refusal = refusalOf(request);
  if (refusal !== undefined) {
    socket.end(`HTTP/1.1 ${refusal.code} ${STATUS_CODES[refusal.code]}\r\n\r\n${refusal.message}`);
    return;
  }
  socket.write(`${handshake(request).join('\r\n')}\r\n\r\n`);
  const isText = !stream.contentType.includes('protobuf');
  let stop: () => void = () => undefined;
  let isOver = false;
  const finish = (status?: number): void => {
    if (isOver) return;
    isOver = true;
    stop();
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
  const send = (frame: string | Uint8Array): boolean => {
    if (isOver) return false;
    // Messages need no length before them.
    const payload = isText ? Buffer.from(frame) : Buffer.from(frame as Uint8Array).subarray(4);
    socket.write(frameOf(isText ? opcodes.text : opcodes.binary, payload));
    if (socket.writableLength <= maxWaitingBytes) return true;
    finish();
    return false;
  };
  stop = stream.start(send, () => finish(normalClosure));
  if (isOver) stop();
}

interface Refusal {
  readonly code: number;
  readonly message: string;
}

/** Source: websocket/hybi.go ReadHandshake, AcceptHandshake; server.go checkOrigin. */
function refusalOf({ headers }: IncomingMessage): Refusal | undefined {
  if ((headers['sec-websocket-key'] ?? '') === '') return { code: 400, message: 'mismatch challenge/response' };
  if (headers['sec-websocket-version'] !== '13') return { code: 400, message: 'missing or bad WebSocket Version' };
  const origin = headers.origin ?? '';
  if (!origin.startsWith('/') && !/^[a-z][a-z0-9+.-]*:/i.test(origin)) return { code: 403, message: '' };
  return protocolsOf(headers['sec-websocket-protocol']).length > 1 ? { code: 400, message: '' } : undefined;
}

/** The protocol that carries a token is not one to choose. */
function protocolsOf(header: string | undefined): readonly string[] {
  const named = (header ?? '').split(',').map(text => text.trim());
  return named.filter(text => text !== '' && !text.startsWith('base64url.bearer.authorization.k8s.io.'));
}

const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

function handshake({ headers }: IncomingMessage): string[] {
  const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${guid}`).digest('base64');
  const [protocol] = protocolsOf(headers['sec-websocket-protocol']);
  return [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept}`,
    ...(protocol === undefined ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
  ];
}

/** An unmasked frame that is a whole message. */
function frameOf(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

interface Received {
  readonly pong: (payload: Uint8Array) => void;
  readonly close: (status: number) => void;
}

/** Reads the client's frames: pings and the end. Frames of clients are masked. */
function readFrames(socket: Duplex, { pong, close }: Received): void {
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
    }
    if (waiting.length > maxReceivedBytes) close(protocolError);
  });
}

function frameIn(
  bytes: Buffer,
): { readonly size: number; readonly opcode: number; readonly isMasked: boolean; readonly payload: Buffer } | undefined {
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  const isMasked = (second & 0x80) !== 0;
  const short = second & 0x7f;
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
  const start = 2 + lengthBytes + (isMasked ? 4 : 0);
  if (bytes.length < start) return undefined;
  const length = lengthBytes === 0 ? short : lengthBytes === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (bytes.length < start + length) return undefined;
  const mask = bytes.subarray(start - 4, start);
  const payload = Buffer.from(bytes.subarray(start, start + length).map((byte, i) => (isMasked ? byte ^ (mask[i % 4] ?? 0) : byte)));
  return { size: start + length, opcode: first & 0x0f, isMasked, payload };
}
