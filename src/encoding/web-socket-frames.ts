/** Opcodes of WebSocket frames. Source: RFC 6455 section 5.2. */
export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Appended to the client's key before it is hashed for Sec-WebSocket-Accept. Source: RFC 6455 section 1.3. */
export const webSocketGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** A frame at the start of some bytes. */
export interface ReceivedFrame {
  /** Bytes of the whole frame. */
  readonly size: number;
  readonly opcode: number;
  /** Whether it ends a message. */
  readonly isFinal: boolean;
  readonly isMasked: boolean;
  readonly payload: Buffer;
}

/** Returns a frame that is a whole message; clients mask theirs with four random bytes. */
export function frameOf(opcode: number, payload: Uint8Array, mask?: Uint8Array): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  head[1] = (length < 126 ? length : length < 65_536 ? 126 : 127) | (mask === undefined ? 0 : 0x80);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return mask === undefined ? Buffer.concat([head, payload]) : Buffer.concat([head, mask, masked(payload, mask)]);
}

/** Returns the first frame of some bytes; undefined where it is not complete. */
export function frameIn(bytes: Buffer): ReceivedFrame | undefined {
  const length = payloadLength(bytes);
  if (length === undefined) return undefined;
  const [first = 0, second = 0] = bytes;
  const isMasked = (second & 0x80) !== 0;
  const start = 2 + lengthBytes(second) + (isMasked ? 4 : 0);
  if (bytes.length < start + length) return undefined;
  const payload = bytes.subarray(start, start + length);
  return {
    size: start + length,
    opcode: first & 0x0f,
    isFinal: (first & 0x80) !== 0,
    isMasked,
    payload: isMasked ? masked(payload, bytes.subarray(start - 4, start)) : payload,
  };
}

/** Returns the length of the payload of the first frame; undefined where its head is not complete. */
export function payloadLength(bytes: Buffer): number | undefined {
  const [, second] = bytes;
  if (second === undefined || bytes.length < 2 + lengthBytes(second)) return undefined;
  const wide = lengthBytes(second);
  return wide === 0 ? second & 0x7f : wide === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
}

function lengthBytes(second: number): 0 | 2 | 8 {
  const short = second & 0x7f;
  return short === 126 ? 2 : short === 127 ? 8 : 0;
}

function masked(payload: Uint8Array, mask: Uint8Array): Buffer {
  const bytes = Buffer.from(payload);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = (bytes[i] ?? 0) ^ (mask[i % 4] ?? 0);
  return bytes;
}
