/** Types of control frames. Source: SPDY protocol draft 3.1 section 2.6. */
export const controls = { openStream: 1, reply: 2, reset: 3, settings: 4, ping: 6, goAway: 7, headers: 8, windowUpdate: 9 } as const;

/** Flag of the last frame of a stream. */
export const finFlag = 1;

/** Status of a stream that is not needed any more. Source: the draft, section 2.6.3. */
export const resetStatus = { protocolError: 1, cancel: 5 } as const;

/** A frame, or a part of one, as it arrives. */
export type SpdyPart =
  | {
      readonly kind: 'data';
      readonly stream: number;
      /** May be a part of the frame's data. */
      readonly bytes: Buffer;
      /** Whether the sender sends no more for this stream. */
      readonly isLast: boolean;
    }
  | { readonly kind: 'control'; readonly type: number; readonly flags: number; readonly payload: Buffer }
  /** The sender does not follow the protocol; nothing is read after it. */
  | { readonly kind: 'fault'; readonly message: string };

const version = 3;
/** Max bytes of a control frame; Kubernetes sends headers of about 100 bytes. */
const maxControlBytes = 64 * 1024;

/** The frame of which data are still to come. */
interface OpenFrame {
  readonly stream: number;
  readonly isLast: boolean;
  remaining: number;
}

/** Reads the frames of one side of a SPDY/3.1 connection. */
export class SpdyReader {
  #waiting: Buffer = Buffer.alloc(0);
  #open: OpenFrame | undefined;
  #isOver = false;

  /** Yields what is complete with these bytes; data as far as they have come. */
  *read(bytes: Buffer): Generator<SpdyPart, void> {
    this.#waiting = this.#waiting.length === 0 ? bytes : Buffer.concat([this.#waiting, bytes]);
    while (!this.#isOver) {
      const part = this.#open === undefined ? this.#next() : this.#more(this.#open);
      if (part === undefined) return;
      this.#isOver = part.kind === 'fault';
      yield part;
    }
  }

  #next(): SpdyPart | undefined {
    const head = this.#waiting;
    if (head.length < 8) return undefined;
    const [flags = 0] = head.subarray(4);
    const length = head.readUIntBE(5, 3);
    const first = head.readUInt32BE(0);
    if (first < 0x80000000) {
      this.#take(8);
      this.#open = { stream: first, isLast: (flags & finFlag) !== 0, remaining: length };
      return this.#more(this.#open);
    }
    if (((first >>> 16) & 0x7fff) !== version) return { kind: 'fault', message: `it sends frames of SPDY ${(first >>> 16) & 0x7fff}` };
    if (length > maxControlBytes) return { kind: 'fault', message: `it sends a control frame of ${length} bytes` };
    if (head.length < 8 + length) return undefined;
    this.#take(8);
    return { kind: 'control', type: first & 0xffff, flags, payload: this.#take(length) };
  }

  #more(open: OpenFrame): SpdyPart | undefined {
    if (this.#waiting.length === 0 && open.remaining > 0) return undefined;
    const bytes = this.#take(Math.min(open.remaining, this.#waiting.length));
    open.remaining -= bytes.length;
    const isWhole = open.remaining === 0;
    if (isWhole) this.#open = undefined;
    return { kind: 'data', stream: open.stream, bytes, isLast: isWhole && open.isLast };
  }

  #take(count: number): Buffer {
    const taken = this.#waiting.subarray(0, count);
    this.#waiting = this.#waiting.subarray(count);
    return taken;
  }
}

/** Returns a frame with data of a stream. */
export function dataFrame(stream: number, bytes: Uint8Array, flags = 0): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(stream, 0);
  head.writeUInt32BE(((flags << 24) | bytes.length) >>> 0, 4);
  return Buffer.concat([head, bytes]);
}

/** Returns a control frame. */
export function controlFrame(type: number, payload: Uint8Array, flags = 0): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16BE(0x8000 | version, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt32BE(((flags << 24) | payload.length) >>> 0, 4);
  return Buffer.concat([head, payload]);
}

/** Returns the frame that ends both sides of a stream at once. */
export function resetFrame(stream: number, status: number): Buffer {
  return controlFrame(controls.reset, numbers(stream, status));
}

/** Returns the number of the stream that a control frame is about; 0 for a short one. */
export function streamOf(payload: Buffer): number {
  return payload.length < 4 ? 0 : payload.readUInt32BE(0) & 0x7fffffff;
}

/** Returns numbers as 32 bits each. */
export function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, 4 * i);
  return bytes;
}
