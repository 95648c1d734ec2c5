import { numbers } from './spdy-frames.js';

/** Names and values of a frame's headers. */
export type SpdyHeaders = readonly (readonly [name: string, value: string])[];

/** Start of a zlib stream without a preset dictionary, which any reader of one with it accepts. Source: RFC 1950 section 2.2. */
const zlibHead = Buffer.from([0x78, 0x01]);

/** Empty stored block: Go hands out what precedes it without waiting for more. */
const flush = Buffer.from([0, 0, 0, 0xff, 0xff]);

/** Max bytes of a stored block. Source: RFC 1951 section 3.2.4. */
const maxStored = 0xffff;

/** Writes the headers of one side of a SPDY connection: all of them are one zlib stream, here of stored blocks, which need neither a compressor nor memory. */
export class SpdyHeaderWriter {
  #isStarted = false;

  /** Returns the block of headers of the next frame. Throws RangeError for more than 64 KiB. */
  write(headers: SpdyHeaders): Buffer {
    const text = Buffer.concat([numbers(headers.length), ...headers.flatMap(pair => pair.map(lengthFirst))]);
    if (text.length > maxStored) throw new RangeError('headers of more than 64 KiB');
    const block = Buffer.alloc(5);
    block.writeUInt16LE(text.length, 1);
    block.writeUInt16LE(text.length ^ 0xffff, 3);
    const start = this.#isStarted ? [] : [zlibHead];
    this.#isStarted = true;
    return Buffer.concat([...start, block, text, flush]);
  }
}

function lengthFirst(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  return Buffer.concat([numbers(bytes.length), bytes]);
}

/** Returns the headers of an unpacked block, with lower-case names; undefined where they are not complete. Source: the draft, section 2.6.10. */
export function headersIn(text: Buffer): ReadonlyMap<string, string> | undefined {
  let at = 0;
  const number = (): number => {
    at += 4;
    return at <= text.length ? text.readUInt32BE(at - 4) : -1;
  };
  const word = (): string | undefined => {
    const length = number();
    if (length < 0 || at + length > text.length) return undefined;
    at += length;
    return text.toString('utf8', at - length, at);
  };
  const headers = new Map<string, string>();
  const count = number();
  for (let i = 0; i < count; i += 1) {
    const [name, value] = [word(), word()];
    if (name === undefined || value === undefined) return undefined;
    headers.set(name.toLowerCase(), value);
  }
  return count < 0 ? undefined : headers;
}
