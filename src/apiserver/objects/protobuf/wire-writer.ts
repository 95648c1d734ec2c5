/** Writer for protobuf messages: one buffer, into which nested messages are written in place. */
export class WireWriter {
  #buffer: Buffer;
  #length = 0;

  /** Creates an empty writer, with the bytes that it needs probably. */
  constructor(expected = 1024) {
    this.#buffer = Buffer.allocUnsafe(expected);
  }

  varint(value: number | bigint): void {
    if (typeof value === 'number' && value >= 0 && value < 2 ** 31) {
      this.#reserve(5);
      this.#length = putVarint(this.#buffer, this.#length, value);
      return;
    }
    this.#reserve(10);
    let left = BigInt.asUintN(64, BigInt(value));
    for (; left > 127n; left >>= 7n) this.#byte(Number(left & 127n) | 128);
    this.#byte(Number(left));
  }

  /** Writes the tag of a field: number and wire type. */
  tag(number: number, wireType: 0 | 1 | 2 | 5): void {
    this.varint((number << 3) | wireType);
  }

  /** Writes bytes with their length. */
  bytes(value: Uint8Array): void {
    this.varint(value.length);
    this.raw(value);
  }

  /** Writes bytes as they are. */
  raw(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#buffer.set(value, this.#length);
    this.#length += value.length;
  }

  float64(value: number): void {
    this.#reserve(8);
    this.#length = this.#buffer.writeDoubleLE(value, this.#length);
  }

  /** Writes a field with a text. */
  text(number: number, text: string): void {
    this.tag(number, 2);
    const start = this.#open(3 * text.length);
    this.#length += text.length < fewCharacters ? this.#putAscii(text) : this.#buffer.write(text, this.#length);
    this.end(start);
  }

  /** Writes a field with a text, which is a part of `from` in UTF-8. */
  textIn(number: number, from: Buffer, start: number, end: number): void {
    this.tag(number, 2);
    this.varint(end - start);
    this.rawIn(from, start, end);
  }

  /** Writes a part of `from` as it is. */
  rawIn(from: Buffer, start: number, end: number): void {
    this.#reserve(end - start);
    const buffer = this.#buffer;
    let at = this.#length;
    this.#length += end - start;
    if (end - start > fewCharacters) from.copy(buffer, at, start, end);
    else
      for (let i = start; i < end; i += 1) {
        buffer[at] = from[i] as number;
        at += 1;
      }
  }

  /** Writes characters as they are, in UTF-8. */
  characters(text: string): void {
    this.#reserve(3 * text.length);
    this.#length += this.#buffer.write(text, this.#length);
  }

  /** Writes a field with a message, whose fields `fill` writes. */
  message(number: number, fill: () => void): void {
    const start = this.begin(number);
    fill();
    this.end(start);
  }

  /** Begins a field with a message; `end` takes what it returns. */
  begin(number: number): number {
    this.tag(number, 2);
    return this.#open(0);
  }

  /** Ends the message that `begin` has begun. Writes the length of what was written since, which is moved where the length needs more than a byte. */
  end(start: number): void {
    const length = this.#length - start;
    const more = lengthOfVarint(length) - 1;
    if (more > 0) {
      this.#reserve(more);
      this.#buffer.copyWithin(start + more, start, this.#length);
      this.#length += more;
    }
    putVarint(this.#buffer, start - 1, length);
  }

  get length(): number {
    return this.#length;
  }

  /** Forgets what was written after the first `length` bytes. */
  truncate(length: number): void {
    this.#length = length;
  }

  /** Returns what was written, as a part of the buffer. */
  finish(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Leaves one byte for a length. */
  #open(expected: number): number {
    this.#reserve(expected + 5);
    this.#length += 1;
    return this.#length;
  }

  /** Returns how many bytes the text took. */
  #putAscii(text: string): number {
    const buffer = this.#buffer;
    const at = this.#length;
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      if (code > 127) return buffer.write(text, at);
      buffer[at + i] = code;
    }
    return text.length;
  }

  #byte(value: number): void {
    this.#buffer[this.#length] = value;
    this.#length += 1;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + more));
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
  }
}

/** Shorter texts take less time in a loop than in a call of Node. */
const fewCharacters = 40;

function putVarint(buffer: Buffer, at: number, value: number): number {
  let left = value;
  let end = at;
  for (; left > 127; left >>>= 7) {
    buffer[end] = (left & 127) | 128;
    end += 1;
  }
  buffer[end] = left;
  return end + 1;
}

/** Returns the bytes that a number up to 2^31 takes. */
function lengthOfVarint(value: number): number {
  let length = 1;
  for (let left = value >>> 7; left > 0; left >>>= 7) length += 1;
  return length;
}
