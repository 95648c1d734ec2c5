import { type DerCursor, readContents, tags } from './der.js';

/** BIT STRING: its octets, and the number of unused bits in the last one. */
export interface BitString {
  readonly bytes: Uint8Array;
  readonly unusedBits: number;
}

/** Reads a BOOLEAN; DER allows 0 and 255 only. */
export function readBoolean(cursor: DerCursor): boolean | undefined {
  const contents = readContents(cursor, tags.boolean);
  if (contents === undefined || contents.length !== 1) return undefined;
  if (contents[0] === 0) return false;
  return contents[0] === 0xff ? true : undefined;
}

/** Reads an INTEGER of any size, or one with another tag; undefined if it is not minimally encoded. */
export function readInteger(cursor: DerCursor, tag: number = tags.integer): bigint | undefined {
  const contents = readContents(cursor, tag);
  return contents === undefined ? undefined : integerOf(contents);
}

/** Reads an INTEGER that fits into a signed 64-bit number. */
export function readInt64(cursor: DerCursor, tag: number = tags.integer): bigint | undefined {
  const value = readInteger(cursor, tag);
  return value === undefined || BigInt.asIntN(64, value) !== value ? undefined : value;
}

/** Returns the value of an INTEGER's contents. */
function integerOf(contents: Uint8Array): bigint | undefined {
  const [first, second] = contents;
  if (first === undefined) return undefined;
  if (second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80))) return undefined;
  const magnitude = unsignedOf(contents);
  return first < 0x80 ? magnitude : magnitude - (1n << BigInt(8 * contents.length));
}

/** Returns big-endian octets as a number. */
export function unsignedOf(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

/** Reads an OBJECT IDENTIFIER in dotted notation. Go limits each number to 31 bits. Source: cryptobyte String.ReadASN1ObjectIdentifier. */
export function readObjectIdentifier(cursor: DerCursor): string | undefined {
  const contents = readContents(cursor, tags.objectIdentifier);
  if (contents === undefined || contents.length === 0) return undefined;
  const numbers: number[] = [];
  for (let at = 0; at < contents.length; ) {
    const read = readBase128(contents, at);
    if (read === undefined) return undefined;
    numbers.push(read.value);
    at = read.next;
  }
  const [first = 0, ...rest] = numbers;
  const leading = first < 80 ? [Math.floor(first / 40), first % 40] : [2, first - 80];
  return [...leading, ...rest].join('.');
}

function readBase128(bytes: Uint8Array, start: number): { value: number; next: number } | undefined {
  let value = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const octet = bytes[at] ?? 0;
    if (at - start === 5 || value >= 2 ** 24 || (at === start && octet === 0x80)) return undefined;
    value = value * 128 + (octet & 0x7f);
    if (octet < 0x80) return { value, next: at + 1 };
  }
  return undefined;
}

/** Reads a BIT STRING; unused bits must be zero. */
export function readBitString(cursor: DerCursor): BitString | undefined {
  const contents = readContents(cursor, tags.bitString);
  const unusedBits = contents?.[0];
  if (contents === undefined || unusedBits === undefined || unusedBits > 7) return undefined;
  const bytes = contents.subarray(1);
  const last = bytes.at(-1);
  if (last === undefined ? unusedBits !== 0 : (last & ((1 << unusedBits) - 1)) !== 0) return undefined;
  return { bytes, unusedBits };
}

/** Returns the bits right-aligned: a signature or key whose length is not a multiple of eight is shifted. */
export function rightAligned({ bytes, unusedBits }: BitString): Uint8Array {
  if (unusedBits === 0 || bytes.length === 0) return bytes;
  return bytes.map((octet, i) => (octet >> unusedBits) | ((i === 0 ? 0 : (bytes[i - 1] ?? 0)) << (8 - unusedBits)));
}

/** Returns whether bit `n` is set, counting from the highest bit of the first octet. */
export function bitIsSet({ bytes, unusedBits }: BitString, n: number): boolean {
  if (n >= bytes.length * 8 - unusedBits) return false;
  return (((bytes[n >> 3] ?? 0) >> (7 - (n & 7))) & 1) === 1;
}

/** Returns whether two byte arrays are equal. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
