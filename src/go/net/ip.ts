import { addressText, isMapped, parseAddress } from '../netip/address.js';
import { NetipError } from '../netip/error.js';

/** Parses an IP address without a zone into 16 octets, IPv4 as ::ffff:a.b.c.d; undefined if invalid. Source: Go net.ParseIP. */
export function parseIP(text: string): Uint8Array | undefined {
  try {
    const { bytes, zone } = parseAddress(text);
    if (zone !== '') return undefined;
    return Uint8Array.from(bytes.length === 4 ? [...mappedPrefix, ...bytes] : bytes);
  } catch (error) {
    if (error instanceof NetipError) return undefined;
    throw error;
  }
}

/** Formats an IP address of 4 or 16 octets: IPv4 (also in its IPv6 form) with dots, IPv6 by RFC 5952. Source: Go net.IP.String. */
export function formatIP(ip: Uint8Array): string {
  return addressText({ bytes: [...(asIPv4(ip) ?? ip)], zone: '' });
}

/** Returns the four octets of an IPv4 address, given as four or in its IPv6 form; undefined for other addresses. Source: Go net.IP.To4. */
export function asIPv4(ip: Uint8Array): Uint8Array | undefined {
  if (ip.length === 4) return ip;
  return isMapped({ bytes: [...ip], zone: '' }) ? ip.subarray(12) : undefined;
}

/** Returns whether two addresses are equal; 10.0.0.1 and ::ffff:10.0.0.1 are. Source: Go net.IP.Equal. */
export function sameIP(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(asIPv4(a) ?? a, asIPv4(b) ?? b) === 0;
}

const mappedPrefix = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];
