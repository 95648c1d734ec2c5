import { type Ipv6Address, isMapped, type Prefix } from './address.js';

/** Returns whether the address is `0.0.0.0` or `::`, without a zone. Source: Go net/netip, as for the others. */
export function isUnspecified({ bytes, zone }: Ipv6Address): boolean {
  return zone === '' && bytes.every(byte => byte === 0);
}

export function isLoopback(address: Ipv6Address): boolean {
  const bytes = unmapped(address);
  if (bytes.length === 4) return bytes[0] === 127;
  return bytes.slice(0, 15).every(byte => byte === 0) && bytes[15] === 1;
}

export function isLinkLocalMulticast(address: Ipv6Address): boolean {
  const bytes = unmapped(address);
  if (bytes.length === 4) return bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0;
  return bytes[0] === 0xff && ((bytes[1] ?? 0) & 0x0f) === 2;
}

export function isLinkLocalUnicast(address: Ipv6Address): boolean {
  const bytes = unmapped(address);
  if (bytes.length === 4) return bytes[0] === 169 && bytes[1] === 254;
  return bytes[0] === 0xfe && ((bytes[1] ?? 0) & 0xc0) === 0x80;
}

/** Returns whether the address is a global unicast address; private addresses are. */
export function isGlobalUnicast(address: Ipv6Address): boolean {
  const bytes = unmapped(address);
  if (bytes.length === 4 && bytes.every(byte => byte === 255)) return false;
  return !isUnspecified(address) && !isLoopback(address) && !isMulticast(bytes) && !isLinkLocalUnicast(address);
}

/** Returns whether the network contains the address. */
export function containsAddress({ address, bits }: Prefix, other: Ipv6Address): boolean {
  return other.zone === '' && address.bytes.length === other.bytes.length && sameBits(address, other, bits);
}

/** Returns whether two networks share addresses. */
export function overlaps(a: Prefix, b: Prefix): boolean {
  return a.address.bytes.length === b.address.bytes.length && sameBits(a.address, b.address, Math.min(a.bits, b.bits));
}

/** Returns the network with its host bits cleared. */
export function maskedPrefix({ address, bits }: Prefix): Prefix {
  return { address: { ...address, bytes: address.bytes.map((byte, i) => byte & maskAt(bits, i)) }, bits };
}

function unmapped(address: Ipv6Address): readonly number[] {
  return isMapped(address) ? address.bytes.slice(12) : address.bytes;
}

function isMulticast(bytes: readonly number[]): boolean {
  const first = bytes[0] ?? 0;
  return bytes.length === 4 ? (first & 0xf0) === 0xe0 : first === 0xff;
}

function sameBits(a: Ipv6Address, b: Ipv6Address, bits: number): boolean {
  return a.bytes.every((byte, i) => ((byte ^ (b.bytes[i] ?? 0)) & maskAt(bits, i)) === 0);
}

/** Returns the bits of the i-th byte that belong to the network. */
function maskAt(bits: number, i: number): number {
  const inByte = Math.min(Math.max(bits - 8 * i, 0), 8);
  return (0xff << (8 - inByte)) & 0xff;
}
