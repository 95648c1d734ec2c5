import { addressError } from './error.js';
import { parseIPv4 } from './ipv4.js';

/** IP address of 4 or 16 bytes. */
export interface Ipv6Address {
  readonly bytes: readonly number[];
  readonly zone: string;
}

/** State of the IPv6 parser. */
interface ByteReader {
  readonly whole: string;
  rest: string;
  readonly bytes: number[];
  /** Number of bytes before `::`; -1 if there was none yet. */
  ellipsis: number;
}

/** Parses an IPv6 address. Throws NetipError. Source: Go net/netip parseIPv6. */
export function parseIPv6(text: string): Ipv6Address {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') throw addressError(text, 'zone must be a non-empty string');
  const reader: ByteReader = { whole: text, rest: percent < 0 ? text : text.slice(0, percent), bytes: [], ellipsis: -1 };
  if (reader.rest.startsWith('::')) {
    reader.ellipsis = 0;
    reader.rest = reader.rest.slice(2);
    if (reader.rest === '') return { bytes: new Array<number>(16).fill(0), zone };
  }
  parseGroups(reader);
  if (reader.rest !== '') throw addressError(text, 'trailing garbage after address', reader.rest);
  const { bytes, ellipsis } = reader;
  if (bytes.length === 16) {
    if (ellipsis >= 0) throw addressError(text, 'the :: must expand to at least one field of zeros');
    return { bytes, zone };
  }
  if (ellipsis < 0) throw addressError(text, 'address string too short');
  const zeros = new Array<number>(16 - bytes.length).fill(0);
  return { bytes: [...bytes.slice(0, ellipsis), ...zeros, ...bytes.slice(ellipsis)], zone };
}

/** Parses groups of hexadecimal digits, and an IPv4 address at the end. */
function parseGroups(r: ByteReader): void {
  while (r.bytes.length < 16) {
    const digits = groupAt(r);
    if (r.rest[digits.length] === '.') {
      parseTrailingIPv4(r);
      return;
    }
    const value = Number.parseInt(digits, 16);
    r.bytes.push(value >> 8, value & 0xff);
    const after = r.rest.slice(digits.length);
    r.rest = after;
    if (after === '') return;
    if (!after.startsWith(':')) throw addressError(r.whole, 'unexpected character, want colon', after);
    if (after.length === 1) throw addressError(r.whole, 'colon must be followed by more characters', after);
    r.rest = after.slice(1);
    if (r.rest.startsWith(':') && endsWithEllipsis(r)) return;
  }
}

/** Returns one to four digits. */
function groupAt(r: ByteReader): string {
  const digits = /^[\da-fA-F]*/.exec(r.rest)?.[0] ?? '';
  if (digits.length > 4) throw addressError(r.whole, 'each group must have 4 or less digits', r.rest);
  if (digits === '') throw addressError(r.whole, 'each colon-separated field must have at least one digit', r.rest);
  return digits;
}

function endsWithEllipsis(r: ByteReader): boolean {
  if (r.ellipsis >= 0) throw addressError(r.whole, 'multiple :: in address', r.rest);
  r.ellipsis = r.bytes.length;
  r.rest = r.rest.slice(1);
  return r.rest === '';
}

function parseTrailingIPv4(r: ByteReader): void {
  const { bytes, rest, whole } = r;
  if (r.ellipsis < 0 && bytes.length !== 12) {
    throw addressError(whole, 'embedded IPv4 address must replace the final 2 fields of the address', rest);
  }
  if (bytes.length + 4 > 16) {
    throw addressError(whole, 'too many hex fields to fit an embedded IPv4 at the end of the address', rest);
  }
  bytes.push(...parseIPv4(rest, whole));
  r.rest = '';
}
