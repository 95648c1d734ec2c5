import { quote } from '../go/quote.js';
import { isEnabled } from './feature-gates.js';

/**
 * What is wrong with an IP address; the words are those of error messages. Without the gate, forms that only Go's older parser takes pass.
 * Source: apimachinery util/validation/ip.go IsValidIPForLegacyField.
 */
export function ipProblems(text: string, isStrict = isEnabled('StrictIPCIDRValidation')): string[] {
  const plain = withoutLeadingZeros(text);
  const isSixth = isIPv6(plain);
  if (!isIPv4(plain) && !isSixth) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  if (!isStrict) return [];
  return [
    ...(plain === text ? [] : ['must not have leading 0s']),
    ...(isSixth && isMapped(text) ? ['must not be an IPv4-mapped IPv6 address'] : []),
  ];
}

/** The same where only the one canonical text will do. Source: IsValidIP. */
export function canonicalIpProblems(text: string): string[] {
  const problems = ipProblems(text, true);
  const canonical = canonicalIpv6(text) ?? text;
  return problems.length > 0 || canonical === text ? problems : [`must be in canonical form (${quote(canonical)})`];
}

/** The same for the address of a network: `10.0.0.0/8`. Source: IsValidCIDRForLegacyField. */
export function cidrProblems(text: string, isStrict = isEnabled('StrictIPCIDRValidation')): string[] {
  const parsed = cidrOf(text);
  if (parsed === undefined) return ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'];
  if (!isStrict) return [];
  if (parsed.leadingZeros) return ['must not have leading 0s in IP or prefix length'];
  if (isMapped(text.slice(0, text.indexOf('/')))) return ['must not have an IPv4-mapped IPv6 address'];
  const shift = BigInt(parsed.bits - parsed.length);
  return (parsed.address >> shift) << shift === parsed.address ? [] : ['must not have bits set beyond the prefix length'];
}

/** The address as RFC 5952 writes it; undefined when the text is no IPv6 address. */
export function canonicalIpv6(text: string): string | undefined {
  if (!isIPv6(text)) return undefined;
  const parts = groupsOf(text);
  const written = new URL(`http://[${text}]/`).hostname.slice(1, -1);
  return isMapped(text)
    ? `::ffff:${parts
        .slice(6)
        .map(n => `${n >> 8}.${n & 255}`)
        .join('.')}`
    : written;
}

/** The address of an interface as it is to be written, `10.9.8.7/24`; undefined when the text is none. Source: IsValidInterfaceAddress. */
export function canonicalInterfaceAddress(text: string): string | undefined {
  const parsed = cidrOf(text);
  if (parsed === undefined) return undefined;
  const ip = withoutLeadingZeros(text.slice(0, text.indexOf('/')));
  if (!isMapped(ip)) return `${canonicalIpv6(ip) ?? ip}/${parsed.length}`;
  return `${canonicalIpv6(ip)?.slice('::ffff:'.length)}/${parsed.length > 32 ? parsed.length - 96 : parsed.length}`;
}

/** Is an address, or the address of a network, one of the sixth version? */
export function isIpv6Text(text: string): boolean {
  return text.includes(':');
}

/** The address as Go's older parser reads and prints it: without leading zeros, mapped ones as IPv4; undefined when the text is none. */
export function sloppyIp(text: string): string | undefined {
  const plain = withoutLeadingZeros(text);
  if (isIPv4(plain)) return plain;
  return canonicalIpv6(plain)?.replace(/^::ffff:(?=[0-9.]+$)/, '');
}

/** A network as Go's older parser reads it; undefined when the text is none. */
export function sloppyCidr(text: string): SloppyCidr | undefined {
  const parsed = cidrOf(text);
  const [ip = ''] = text.split('/');
  const address = sloppyIp(ip);
  if (parsed === undefined || address === undefined) return undefined;
  const shift = BigInt(parsed.bits - parsed.length);
  const network = (parsed.address >> shift) << shift;
  const isMappedIp = isMapped(withoutLeadingZeros(ip));
  const shown = isMappedIp
    ? `${ipText(network & 0xffff_ffffn, 32)}/${Math.max(0, parsed.length - 96)}`
    : `${ipText(network, parsed.bits)}/${parsed.length}`;
  return { address, network: shown, hasHostBits: network !== parsed.address, isStandard: !parsed.leadingZeros && !isMappedIp };
}

interface SloppyCidr {
  readonly address: string;
  readonly network: string;
  readonly hasHostBits: boolean;
  /** Newer parsers take it, too. */
  readonly isStandard: boolean;
}

function ipText(address: bigint, bits: number): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map(shift => (address >> shift) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_, i) => ((address >> BigInt(112 - 16 * i)) & 0xffffn).toString(16)).join(':');
  return canonicalIpv6(groups) ?? groups;
}

/** The number of an address, for comparisons of ranges; undefined when the text is none. */
export function ipNumber(text: string): bigint | undefined {
  if (isIPv4(text)) return text.split('.').reduce((sum, octet) => sum * 256n + BigInt(octet), 0n);
  return isIPv6(text) ? groupsOf(text).reduce((sum, group) => sum * 65_536n + BigInt(group), 0n) : undefined;
}

interface Cidr {
  readonly address: bigint;
  readonly bits: number;
  readonly length: number;
  readonly leadingZeros: boolean;
}

function cidrOf(text: string): Cidr | undefined {
  const [ip = '', length, ...rest] = text.split('/');
  if (length === undefined || rest.length > 0 || !/^[0-9]+$/.test(length) || ip.includes('%')) return undefined;
  const plain = withoutLeadingZeros(ip);
  const address = ipNumber(plain);
  const bits = isIPv4(plain) ? 32 : 128;
  if (address === undefined || Number(length) > bits) return undefined;
  return { address, bits, length: Number(length), leadingZeros: plain !== ip || (length.length > 1 && length.startsWith('0')) };
}

/** Go's older parser took `010.0.0.1` for `10.0.0.1`. */
function withoutLeadingZeros(text: string): string {
  return /(^|:)[0-9]+(\.[0-9]+){3}$/.test(text) ? text.replace(/(^|[.:])0+(?=[0-9]+(\.|$))/g, '$1') : text;
}

/** Is it an IPv4 address in the form of an IPv6 address? */
export function isMapped(text: string): boolean {
  if (!isIPv6(text)) return false;
  const groups = groupsOf(text);
  return groups.slice(0, 5).every(group => group === 0) && groups[5] === 0xffff;
}

/** The eight numbers of an address. */
function groupsOf(text: string): number[] {
  const hextets = text.replace(/([0-9]+)\.([0-9]+)\.([0-9]+)\.([0-9]+)$/, (_, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map(n => n.toString(16)).join(':'),
  );
  const [head = '', tail] = hextets.split('::');
  const numbers = (part: string): number[] => (part === '' ? [] : part.split(':').map(group => Number.parseInt(group, 16)));
  const first = numbers(head);
  if (tail === undefined) return first;
  const last = numbers(tail);
  return [...first, ...Array<number>(Math.max(0, 8 - first.length - last.length)).fill(0), ...last];
}

const octet = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const ipv4 = new RegExp(`^${octet}(\\.${octet}){3}$`);

function isIPv4(text: string): boolean {
  return ipv4.test(text);
}

/** Addresses with zones are none. */
function isIPv6(text: string): boolean {
  return /^[0-9a-fA-F:.]+$/.test(text) && URL.canParse(`http://[${text}]/`);
}
