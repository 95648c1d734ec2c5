import { MalformedCertificate } from './malformed-certificate.js';

/** Unread part of the contents of an ASN.1 structure. */
export interface Asn1Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

/** Field of a Go struct: its universal tag number, whether it is constructed, and the name of its Go type for errors. */
export interface Asn1Field {
  readonly tag: number;
  readonly isCompound: boolean;
  readonly type: string;
}

/** One read element. */
export interface Asn1Element {
  readonly class: number;
  readonly tag: number;
  readonly isCompound: boolean;
  readonly contents: Uint8Array;
  readonly whole: Uint8Array;
}

interface Header extends Omit<Asn1Element, 'contents' | 'whole'> {
  readonly length: number;
  /** Offset of the contents. */
  readonly start: number;
}

/** Returns the next element, which must be the field's. Throws MalformedCertificate with Go's error. Source: encoding/asn1 parseField. */
export function readField(cursor: Asn1Cursor, field: Asn1Field): Asn1Element {
  const header = nextHeader(cursor);
  const { class: own, tag, isCompound, length, start } = header;
  if (own !== 0 || tag !== field.tag || isCompound !== field.isCompound) {
    const found = `{class:${own} tag:${tag} length:${length} isCompound:${isCompound}}`;
    throw structureError(`tags don't match (${field.tag} vs ${found}) ${parameters} ${field.type} @${start}`);
  }
  return elementAt(cursor, header);
}

/** Returns the next element of any type. Throws as {@link readField} does. */
export function readAny(cursor: Asn1Cursor): Asn1Element {
  return elementAt(cursor, nextHeader(cursor));
}

/** Returns the elements of a sequence of one type. Source: encoding/asn1 parseSequenceOf. */
export function readItems(bytes: Uint8Array, item?: Asn1Field): Asn1Element[] {
  const cursor = { bytes, at: 0 };
  const items: Asn1Element[] = [];
  while (cursor.at < bytes.length) {
    const header = headerAt(cursor.bytes, cursor.at);
    if (item !== undefined && (header.class !== 0 || header.tag !== item.tag || header.isCompound !== item.isCompound))
      throw structureError('sequence tag mismatch');
    if (header.start + header.length > bytes.length) throw syntaxError('truncated sequence');
    items.push(elementAt(cursor, header));
  }
  return items;
}

/** Returns Go's `asn1: syntax error`. */
export function syntaxError(why: string): MalformedCertificate {
  return new MalformedCertificate(`asn1: syntax error: ${why}`);
}

/** Returns Go's `asn1: structure error`. */
export function structureError(why: string): MalformedCertificate {
  return new MalformedCertificate(`asn1: structure error: ${why}`);
}

const parameters =
  '{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false}';

function nextHeader({ bytes, at }: Asn1Cursor): Header {
  if (at === bytes.length) throw syntaxError('sequence truncated');
  return headerAt(bytes, at);
}

function elementAt(cursor: Asn1Cursor, { class: own, tag, isCompound, length, start }: Header): Asn1Element {
  const { bytes, at } = cursor;
  const end = start + length;
  if (end > bytes.length) throw syntaxError('data truncated');
  cursor.at = end;
  return { class: own, tag, isCompound, contents: bytes.subarray(start, end), whole: bytes.subarray(at, end) };
}

/** Source: encoding/asn1 parseTagAndLength. */
function headerAt(bytes: Uint8Array, at: number): Header {
  const first = bytes[at] ?? 0;
  const { tag, next } = (first & 0x1f) === 0x1f ? longTag(bytes, at + 1) : { tag: first & 0x1f, next: at + 1 };
  const { length, start } = lengthAt(bytes, next);
  return { class: first >> 6, tag, isCompound: (first & 0x20) !== 0, length, start };
}

function longTag(bytes: Uint8Array, start: number): { readonly tag: number; readonly next: number } {
  let tag = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const octet = bytes[at] ?? 0;
    if (at - start === 5) throw structureError('base 128 integer too large');
    if (at === start && octet === 0x80) throw syntaxError('integer is not minimally encoded');
    tag = tag * 128 + (octet & 0x7f);
    if (octet >= 0x80) continue;
    if (tag > 2 ** 31 - 1) throw structureError('base 128 integer too large');
    if (tag < 0x1f) throw syntaxError('non-minimal tag');
    return { tag, next: at + 1 };
  }
  throw syntaxError('truncated base 128 integer');
}

function lengthAt(bytes: Uint8Array, at: number): { readonly length: number; readonly start: number } {
  const first = bytes[at];
  if (first === undefined) throw syntaxError('truncated tag or length');
  if (first < 0x80) return { length: first, start: at + 1 };
  const octets = first & 0x7f;
  if (octets === 0) throw syntaxError('indefinite length found (not DER)');
  let length = 0;
  for (let i = 1; i <= octets; i += 1) {
    const octet = bytes[at + i];
    if (octet === undefined) throw syntaxError('truncated tag or length');
    if (length >= 1 << 23) throw structureError('length too large');
    length = length * 256 + octet;
    if (length === 0) throw structureError('superfluous leading zeros in length');
  }
  if (length < 0x80) throw structureError('non-minimal length');
  return { length, start: at + 1 + octets };
}
