/**
 * Strict DER reader. It rejects what Go's reader rejects: lengths and integers that are not minimally encoded, tags above 30. Source:
 * golang.org/x/crypto/cryptobyte (String.readASN1 and the typed reads).
 */

/** Unread part of DER bytes. Reads advance `at`, failed ones, too: callers give up then. */
export interface DerCursor {
  readonly bytes: Uint8Array;
  at: number;
}

/** One element: identifier octet, contents, and the whole element. */
export interface DerElement {
  readonly tag: number;
  readonly contents: Uint8Array;
  readonly whole: Uint8Array;
}

/** Identifier octets of universal types. */
export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  numericString: 0x12,
  printableString: 0x13,
  t61String: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Returns the identifier octet of a primitive context-specific type, `[n] IMPLICIT`. */
export function contextTag(n: number): number {
  return 0x80 | n;
}

/** Returns the identifier octet of a constructed context-specific type, `[n] EXPLICIT`. */
export function constructedContextTag(n: number): number {
  return 0xa0 | n;
}

/** Returns a cursor at the first byte. */
export function cursorOver(bytes: Uint8Array): DerCursor {
  return { bytes, at: 0 };
}

/** Returns whether everything has been read. */
export function atEnd(cursor: DerCursor): boolean {
  return cursor.at >= cursor.bytes.length;
}

/** Returns whether the next element has this identifier octet. */
export function nextTagIs(cursor: DerCursor, tag: number): boolean {
  return cursor.bytes[cursor.at] === tag;
}

/** Reads the next element of any type; undefined for invalid DER or missing bytes. */
export function readAnyElement(cursor: DerCursor): DerElement | undefined {
  const { bytes, at } = cursor;
  const tag = bytes[at];
  const firstLength = bytes[at + 1];
  if (tag === undefined || firstLength === undefined || (tag & 0x1f) === 0x1f) return undefined;
  const header = readLength(bytes, at + 1, firstLength);
  if (header === undefined) return undefined;
  const end = header.start + header.length;
  if (end > bytes.length) return undefined;
  cursor.at = end;
  return { tag, contents: bytes.subarray(header.start, end), whole: bytes.subarray(at, end) };
}

/** Reads the next element; undefined for invalid DER or another identifier octet. */
export function readElement(cursor: DerCursor, tag: number): DerElement | undefined {
  const element = readAnyElement(cursor);
  return element?.tag === tag ? element : undefined;
}

/** Returns the contents of the next element, which must have this identifier octet. */
export function readContents(cursor: DerCursor, tag: number): Uint8Array | undefined {
  return readElement(cursor, tag)?.contents;
}

/** Enters the next element, which must have this identifier octet. */
export function enter(cursor: DerCursor, tag: number): DerCursor | undefined {
  const contents = readContents(cursor, tag);
  return contents === undefined ? undefined : cursorOver(contents);
}

function readLength(bytes: Uint8Array, at: number, first: number): { start: number; length: number } | undefined {
  if ((first & 0x80) === 0) return { start: at + 1, length: first };
  const octets = first & 0x7f;
  if (octets === 0 || octets > 4 || at + 1 + octets > bytes.length) return undefined;
  let length = 0;
  for (let i = 1; i <= octets; i += 1) length = length * 256 + (bytes[at + i] ?? 0);
  const superfluous = length < 128 || bytes[at + 1] === 0;
  return superfluous ? undefined : { start: at + 1 + octets, length };
}
