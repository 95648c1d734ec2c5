import { quote } from '../quote.js';
import { addressError, NetipError } from './error.js';
import { parseIPv4 } from './ipv4.js';
import { type Ipv6Address, parseIPv6 } from './ipv6.js';

export type { Ipv6Address } from './ipv6.js';

/** Network: an address, with its host bits, and the prefix length. */
export interface Prefix {
  readonly address: Ipv6Address;
  readonly bits: number;
}

/** Parses an IPv4 or IPv6 address. Throws NetipError. Source: Go net/netip ParseAddr. */
export function parseAddress(text: string): Ipv6Address {
  const kind = /[.:%]/.exec(text)?.[0];
  if (kind === '.') return { bytes: parseIPv4(text, text), zone: '' };
  if (kind === ':') return parseIPv6(text);
  throw addressError(text, kind === '%' ? 'missing IPv6 address' : 'unable to parse IP');
}

/** Parses `10.0.0.0/8`. Throws NetipError. Source: Go net/netip ParsePrefix. */
export function parsePrefix(text: string): Prefix {
  const slash = text.lastIndexOf('/');
  if (slash < 0) throw prefixError(text, "no '/'");
  const address = addressOfPrefix(text, slash);
  if (address.zone !== '') throw prefixError(text, 'IPv6 zones cannot be present in a prefix');
  const bitsText = text.slice(slash + 1);
  if (!/^(?:[1-9]\d*|\d)$/.test(bitsText) || BigInt(bitsText) >= 1n << 63n)
    throw prefixError(text, `bad bits after slash: ${quote(bitsText)}`);
  const bits = Number(bitsText);
  if (bits > address.bytes.length * 8) throw prefixError(text, 'prefix length out of range');
  return { address, bits };
}

/** Returns the canonical text: `10.0.0.1`, `fe80::1`, `::ffff:10.0.0.1`. Source: Go netip.Addr.String. */
export function addressText({ bytes, zone }: Ipv6Address): string {
  if (bytes.length === 4) return bytes.join('.');
  if (isMapped({ bytes, zone })) return `::ffff:${bytes.slice(12).join('.')}${zone === '' ? '' : `%${zone}`}`;
  const groups = groupsOf(bytes);
  const { start, end } = longestZeros(groups);
  const hex = groups.map(group => group.toString(16));
  const text = start < 0 ? hex.join(':') : `${hex.slice(0, start).join(':')}::${hex.slice(end).join(':')}`;
  return zone === '' ? text : `${text}%${zone}`;
}

/** Returns whether an address is IPv4 in IPv6: `::ffff:10.0.0.1`. */
export function isMapped({ bytes }: Ipv6Address): boolean {
  return bytes.length === 16 && bytes.slice(0, 10).every(byte => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
}

function addressOfPrefix(text: string, slash: number): Ipv6Address {
  try {
    return parseAddress(text.slice(0, slash));
  } catch (error) {
    if (error instanceof NetipError) throw prefixError(text, error.message);
    throw error;
  }
}

function prefixError(text: string, message: string): NetipError {
  return new NetipError(`netip.ParsePrefix(${quote(text)}): ${message}`);
}

function groupsOf(bytes: readonly number[]): readonly number[] {
  return Array.from({ length: 8 }, (_, i) => (bytes[2 * i] ?? 0) * 256 + (bytes[2 * i + 1] ?? 0));
}

/** Returns the first of the longest runs of at least two zero groups. */
function longestZeros(groups: readonly number[]): { readonly start: number; readonly end: number } {
  let best = { start: -1, end: -1 };
  for (let start = 0; start < 8; start += 1) {
    let end = start;
    while (end < 8 && groups[end] === 0) end += 1;
    if (end - start >= 2 && end - start > best.end - best.start) best = { start, end };
  }
  return best;
}
