import type { Connection } from './connection.js';
import { endOfStream, TransportError } from './transport-error.js';

/** Reads lines and bytes of a connection; unread bytes stay for the next response. */
export interface ByteReader {
  /** Returns the bytes that are buffered. */
  buffered(): Buffer;
  /** Reads more; false at the end of the stream, see {@link ending}. */
  fill(): Promise<boolean>;
  /** Returns the end of the stream as an error: EOF, or the failure. */
  ending(): TransportError;
  discard(count: number): void;
  /** Returns the first bytes without consuming them: `count`, or fewer at the end of the stream. */
  peek(count: number): Promise<Buffer>;
  /** Returns the next line without its end, as latin1, if it is buffered completely. */
  bufferedLine(): string | undefined;
  /** Returns the next line without its end, as latin1; at the end of the stream the rest, or undefined. Source: Go bufio ReadLine. */
  readLine(): Promise<string | undefined>;
  /** Returns the bytes up to the limit. */
  left(): number;
  /** Limits the bytes from here on; after the limit the stream counts as ended. */
  limit(count: number): void;
  /** Returns whether the limit was reached. */
  isExceeded(): boolean;
}

export function createByteReader(connection: Connection): ByteReader {
  let buffer: Buffer = Buffer.alloc(0);
  let ending: TransportError | undefined;
  let left = Number.POSITIVE_INFINITY;
  let exceeded = false;

  async function fill(): Promise<boolean> {
    if (buffer.length >= left) exceeded = true;
    if (ending !== undefined || exceeded) return false;
    try {
      const bytes = await connection.read();
      if (bytes === undefined) ending = endOfStream();
      else buffer = buffer.length === 0 ? bytes : append(buffer, bytes);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      ending = error;
    }
    return ending === undefined;
  }

  function discard(count: number): void {
    buffer = buffer.subarray(count);
    left -= count;
  }

  /** Looks for a line from `searched` on. */
  function lineFrom(searched: number): string | undefined {
    const end = buffer.indexOf(lineFeed, searched);
    if (end >= left) exceeded = true;
    if (end < 0 || exceeded) return undefined;
    const line = buffer.toString('latin1', 0, end > 0 && buffer[end - 1] === carriageReturn ? end - 1 : end);
    discard(end + 1);
    return line;
  }

  return {
    buffered: () => buffer,
    fill,
    ending: () => ending ?? endOfStream(),
    discard,
    async peek(count) {
      while (buffer.length < count && (await fill()));
      return buffer.subarray(0, count);
    },
    bufferedLine: () => lineFrom(0),
    async readLine() {
      for (let searched = 0; ; ) {
        const line = lineFrom(searched);
        if (line !== undefined) return line;
        searched = buffer.length;
        if (!(await fill())) break;
      }
      const rest = buffer.toString('latin1');
      discard(buffer.length);
      return rest === '' ? undefined : rest;
    },
    left: () => left,
    limit(count) {
      left = count;
      exceeded = false;
    },
    isExceeded: () => exceeded,
  };
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Appends and doubles the capacity, so that a long line is not copied repeatedly. */
function append(buffer: Buffer, bytes: Buffer): Buffer {
  const end = buffer.byteOffset + buffer.length;
  const whole = Buffer.from(buffer.buffer, buffer.byteOffset);
  if (end + bytes.length <= buffer.buffer.byteLength && roomy.has(buffer.buffer)) {
    bytes.copy(whole, buffer.length);
    return whole.subarray(0, buffer.length + bytes.length);
  }
  const larger = Buffer.alloc(Math.max(4_096, 2 * (buffer.length + bytes.length)));
  roomy.add(larger.buffer);
  buffer.copy(larger);
  bytes.copy(larger, buffer.length);
  return larger.subarray(0, buffer.length + bytes.length);
}

/** Buffers allocated here; those of a socket may be shared. */
const roomy = new WeakSet<ArrayBufferLike>();
