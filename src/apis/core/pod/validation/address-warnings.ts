import { type Place, textOf } from '../../../../apiserver/registry/validation/place.js';
import { addressText, isMapped, type Prefix } from '../../../../go/netip/address.js';
import { maskedPrefix } from '../../../../go/netip/address-class.js';
import { quote } from '../../../../go/quote.js';
import { parseCidrSloppy, parseIpSloppy, standardCidr, standardIp } from '../../../../kubernetes/ip-rules.js';

/** Returns warnings about a valid address in a non-canonical form. Source: apimachinery util/validation/ip.go GetWarningsForIP. */
export function addressWarnings(place: Place): string[] {
  const text = textOf(place);
  const sloppy = parseIpSloppy(text);
  if (sloppy === undefined) return [];
  const address = standardIp(text);
  if (address === undefined || isMapped(address)) return [nonStandard(place, 'IP address', addressText(sloppy))];
  const canonical = addressText(address);
  if (address.bytes.length === 4 || canonical === text) return [];
  return [`${place.path}: IPv6 address ${quote(text)} should be in RFC 5952 canonical format (${quote(canonical)})`];
}

/** Returns warnings about a valid network address in a non-canonical form. Source: GetWarningsForCIDR. */
export function networkWarnings(place: Place): string[] {
  const text = textOf(place);
  const sloppy = parseCidrSloppy(text);
  if (sloppy === undefined) return [];
  const masked = maskedPrefix(sloppy);
  const network = networkText(masked);
  const single = `${shownAddress(sloppy)}/${sloppy.address.bytes.length * 8}`;
  const hasHostBits = addressText(masked.address) !== addressText(sloppy.address);
  const warnings = hasHostBits
    ? [`${place.path}: CIDR value ${quote(text)} is ambiguous in this context (should be ${quote(network)} or ${quote(single)}?)`]
    : [];
  const prefix = standardCidr(text);
  if (prefix === undefined || isMapped(prefix.address)) return [...warnings, nonStandard(place, 'CIDR value', network)];
  if (hasHostBits || prefix.address.bytes.length === 4 || network === text) return warnings;
  return [`${place.path}: IPv6 CIDR value ${quote(text)} should be in RFC 5952 canonical format (${quote(network)})`];
}

/** Returns a network address as Go's net package prints it: IPv4-mapped ones as IPv4. */
function networkText(prefix: Prefix): string {
  return `${shownAddress(prefix)}/${isMapped(prefix.address) ? prefix.bits - 96 : prefix.bits}`;
}

function shownAddress({ address }: Prefix): string {
  return addressText(isMapped(address) ? { bytes: address.bytes.slice(12), zone: '' } : address);
}

function nonStandard(place: Place, what: string, standard: string): string {
  const message = place.server.since('v1.36') ? 'is invalid' : 'will be considered invalid in a future Kubernetes release';
  return `${place.path}: non-standard ${what} ${quote(textOf(place))} ${message}: use ${quote(standard)}`;
}
