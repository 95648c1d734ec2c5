import { quote } from '../x509/quote.js';

/** A text that Go's net/netip reads as an address: 16 octets, IPv4 as ::ffff:a.b.c.d. */
export interface Address {
  readonly octets: Uint8Array;
  /** Written with dots, not as IPv6. */
  readonly isIPv4: boolean;
  readonly zone: string;
}

/**
 * Reads an IP address as Go's net/netip does: four numbers without leading zeros, or IPv6 with an optional IPv4 tail and an
 * optional zone. Otherwise Go's error text. Source: net/netip ParseAddr.
 */
export function parseAddress(text: string): Address | string {
  const separator = /[.:%]/.exec(text)?.[0];
  if (separator === '%') return problem(text, 'missing IPv6 address');
  if (separator === undefined) return problem(text, 'unable to parse IP');
  if (separator === ':') return parseIPv6(text);
  const four = parseIPv4(text);
  if (!Array.isArray(four)) return problem(text, four.message, four.at);
  return { octets: Uint8Array.from([...mappedPrefix, ...four]), isIPv4: true, zone: '' };
}

/** The sixteen octets of an address without a zone; undefined for anything else. Source: net.ParseIP. */
export function parseIP(text: string): Uint8Array | undefined {
  const address = parseAddress(text);
  return typeof address === 'string' || address.zone !== '' ? undefined : address.octets;
}

/** An IP address as Go prints it: IPv4 (also in its IPv6 form) with dots, IPv6 by RFC 5952. Source: net.IP.String. */
export function formatIP(ip: Uint8Array): string {
  const four = asIPv4(ip);
  if (four !== undefined) return four.join('.');
  const groups = Array.from({ length: 8 }, (_, i) => (((ip[2 * i] ?? 0) << 8) | (ip[2 * i + 1] ?? 0)).toString(16));
  const zeros = longestZeroRun(groups);
  if (zeros === undefined) return groups.join(':');
  return `${groups.slice(0, zeros.start).join(':')}::${groups.slice(zeros.end).join(':')}`;
}

/** The four octets of an IPv4 address, given as four or in its IPv6 form; undefined for any other IPv6 address. */
export function asIPv4(ip: Uint8Array): Uint8Array | undefined {
  if (ip.length === 4) return ip;
  return ip.length === 16 && mappedPrefix.every((octet, i) => ip[i] === octet) ? ip.subarray(12) : undefined;
}

/** Whether two addresses are the same; 10.0.0.1 and ::ffff:10.0.0.1 are. Source: net.IP.Equal. */
export function sameIP(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(asIPv4(a) ?? a, asIPv4(b) ?? b) === 0;
}

const mappedPrefix = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

interface Problem {
  readonly message: string;
  /** The rest of the text that the message is about; empty: none is named. */
  readonly at: string;
}

function problem(text: string, message: string, at = ''): string {
  return `ParseAddr(${quote(text)}): ${message}${at === '' ? '' : ` (at ${quote(at)})`}`;
}

function parseIPv4(text: string): number[] | Problem {
  const fields: number[] = [];
  let field = '';
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i] ?? '';
    if (/\d/.test(character)) {
      if (field === '0') return { message: 'IPv4 field has octet with leading zero', at: '' };
      field += character;
      if (Number(field) > 255) return { message: 'IPv4 field has value >255', at: '' };
    } else if (character === '.') {
      if (field === '' || i === text.length - 1) return { message: 'IPv4 field must have at least one digit', at: text.slice(i) };
      if (fields.length === 3) return { message: 'IPv4 address too long', at: '' };
      fields.push(Number(field));
      field = '';
    } else return { message: 'unexpected character', at: text.slice(i) };
  }
  return fields.length < 3 ? { message: 'IPv4 address too short', at: '' } : [...fields, Number(field)];
}

/** Group by group, as Go goes, so that the same fault is named first. */
function parseIPv6(text: string): Address | string {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') return problem(text, 'zone must be a non-empty string');
  let rest = percent < 0 ? text : text.slice(0, percent);
  const octets: number[] = [];
  let ellipsis: number | undefined;
  if (rest.startsWith('::')) {
    ellipsis = 0;
    rest = rest.slice(2);
  }
  while (octets.length < 16 && !(ellipsis === octets.length && rest === '')) {
    const group = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
    if (group.length > 4) return problem(text, 'each group must have 4 or less digits', rest);
    if (group === '') return problem(text, 'each colon-separated field must have at least one digit', rest);
    if (rest[group.length] === '.') {
      const tail = embeddedIPv4(rest, octets.length, ellipsis);
      if (!Array.isArray(tail)) return problem(text, tail.message, tail.at);
      octets.push(...tail);
      rest = '';
      break;
    }
    const value = Number.parseInt(group, 16);
    octets.push(value >> 8, value & 0xff);
    rest = rest.slice(group.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) return problem(text, 'unexpected character, want colon', rest);
    if (rest === ':') return problem(text, 'colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (!rest.startsWith(':')) continue;
    if (ellipsis !== undefined) return problem(text, 'multiple :: in address', rest);
    ellipsis = octets.length;
    rest = rest.slice(1);
  }
  if (rest !== '') return problem(text, 'trailing garbage after address', rest);
  if (octets.length < 16 && ellipsis === undefined) return problem(text, 'address string too short');
  if (octets.length === 16 && ellipsis !== undefined) return problem(text, 'the :: must expand to at least one field of zeros');
  const zeros = Array.from({ length: 16 - octets.length }, () => 0);
  return { octets: Uint8Array.from([...octets.slice(0, ellipsis), ...zeros, ...octets.slice(ellipsis ?? 16)]), isIPv4: false, zone };
}

function embeddedIPv4(rest: string, at: number, ellipsis: number | undefined): number[] | Problem {
  if (ellipsis === undefined && at !== 12) {
    return { message: 'embedded IPv4 address must replace the final 2 fields of the address', at: rest };
  }
  if (at > 12) return { message: 'too many hex fields to fit an embedded IPv4 at the end of the address', at: rest };
  return parseIPv4(rest);
}

/** The first longest run of at least two zero groups. */
function longestZeroRun(groups: readonly string[]): { start: number; end: number } | undefined {
  let longest: { start: number; end: number } | undefined;
  for (let start = 0; start < groups.length; start += 1) {
    let end = start;
    while (groups[end] === '0') end += 1;
    if (end - start >= 2 && end - start > (longest === undefined ? 0 : longest.end - longest.start)) longest = { start, end };
  }
  return longest;
}
