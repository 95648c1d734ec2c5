import { addressText, type Ipv6Address, isMapped, type Prefix, parseAddress, parsePrefix } from '../go/netip/address.js';
import { maskedPrefix } from '../go/netip/address-class.js';
import { NetipError } from '../go/netip/error.js';
import { quote } from '../go/quote.js';
import type { ApiServer } from './api-server.js';

/**
 * Returns the problems of an IP address. Without the gate, forms that only the lenient parser accepts are valid.
 * Source: apimachinery util/validation/ip.go IsValidIPForLegacyField.
 */
export function ipProblems(server: ApiServer, text: string, isStrict = server.isEnabled('StrictIPCIDRValidation')): string[] {
  const address = sloppyAddress(text);
  if (address === undefined) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  if (!isStrict) return [];
  // Only the lenient parser accepts leading zeros.
  if (standardIp(text) === undefined) return ['must not have leading 0s'];
  return isMapped(address) ? ['must not be an IPv4-mapped IPv6 address'] : [];
}

/** Returns the problems of an IP address that must be in canonical form. Source: IsValidIP. */
export function canonicalIpProblems(server: ApiServer, text: string): string[] {
  const problems = ipProblems(server, text, true);
  const address = parseIpSloppy(text);
  if (problems.length > 0 || address === undefined) return problems;
  const canonical = addressText(address);
  return canonical === text ? [] : [`must be in canonical form (${quote(canonical)})`];
}

/** Returns the problems of a network address such as `10.0.0.0/8`. Source: IsValidCIDRForLegacyField. */
export function cidrProblems(server: ApiServer, text: string, isStrict = server.isEnabled('StrictIPCIDRValidation')): string[] {
  if (parseCidrSloppy(text) === undefined) return ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'];
  if (!isStrict) return [];
  const prefix = standardCidr(text);
  if (prefix === undefined) return ['must not have leading 0s in IP or prefix length'];
  if (isMapped(prefix.address)) return ['must not have an IPv4-mapped IPv6 address'];
  const masked = addressText(maskedPrefix(prefix).address);
  return masked === addressText(prefix.address) ? [] : ['must not have bits set beyond the prefix length'];
}

/** Reports whether a network contains another one that is smaller. Both must be valid. Source: net.IPNet.Contains. */
export function isStrictSubnet(network: string, within: string): boolean {
  const [inner, outer] = [parseCidrSloppy(network), parseCidrSloppy(within)];
  if (inner === undefined || outer === undefined || outer.bits >= inner.bits) return false;
  const [own, other] = [maskedPrefix(outer).address, maskedPrefix({ address: inner.address, bits: outer.bits }).address];
  return addressText(own) === addressText(other);
}

/** Returns the address of an interface in canonical form, `10.9.8.7/24`; undefined if invalid. Source: IsValidInterfaceAddress. */
export function canonicalInterfaceAddress(text: string): string | undefined {
  const prefix = parseCidrSloppy(text);
  if (prefix === undefined) return undefined;
  const address = unmapped(prefix.address);
  return `${addressText(address)}/${address.bytes.length === 4 && prefix.bits > 32 ? prefix.bits - 96 : prefix.bits}`;
}

/** Returns whether an address, or a network address, is IPv6. */
export function isIpv6Text(text: string): boolean {
  return text.includes(':');
}

/**
 * Parses an IP address as old Go releases did: leading zeros do not matter. IPv4-mapped addresses are returned as IPv4.
 * Source: k8s.io/utils/net ParseIPSloppy.
 */
export function parseIpSloppy(text: string): Ipv6Address | undefined {
  const address = sloppyAddress(text);
  return address && unmapped(address);
}

/** Parses a network address as old Go releases did. Source: k8s.io/utils/net ParseCIDRSloppy. */
export function parseCidrSloppy(text: string): Prefix | undefined {
  const slash = text.indexOf('/');
  const length = text.slice(slash + 1);
  const address = slash < 0 ? undefined : sloppyAddress(text.slice(0, slash));
  if (address === undefined || !/^\d+$/.test(length) || Number(length) > address.bytes.length * 8) return undefined;
  return { address, bits: Number(length) };
}

/** Parses an IP address as new Go releases do; undefined if invalid. */
export function standardIp(text: string): Ipv6Address | undefined {
  return orUndefined(() => parseAddress(text));
}

/** Parses a network address as new Go releases do; undefined if invalid. */
export function standardCidr(text: string): Prefix | undefined {
  return orUndefined(() => parsePrefix(text));
}

function sloppyAddress(text: string): Ipv6Address | undefined {
  const withoutZeros = text.replace(/(?<![0-9A-Fa-f])0+(?=[0-9A-Fa-f])/g, '');
  return text.includes('%') ? undefined : orUndefined(() => parseAddress(withoutZeros));
}

function unmapped(address: Ipv6Address): Ipv6Address {
  return isMapped(address) ? { bytes: address.bytes.slice(12), zone: '' } : address;
}

function orUndefined<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof NetipError) return undefined;
    throw error;
  }
}
