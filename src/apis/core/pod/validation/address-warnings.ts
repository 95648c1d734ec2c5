import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { addressText, isMapped, type Prefix } from '../../../../go/netip/address.js';
import { maskedPrefix } from '../../../../go/netip/address-class.js';
import { quote } from '../../../../go/quote.js';
import { parseCidrSloppy, parseIpSloppy, standardCidr, standardIp } from '../../../../kubernetes/ip-rules.js';

/** Returns warnings about a valid address in a non-canonical form. Source: apimachinery util/validation/ip.go GetWarningsForIP. */
export function addressWarnings(field: FieldPath): string[] {
  const text = field.text();
  const sloppy = parseIpSloppy(text);
  if (sloppy === undefined) return [];
  const address = standardIp(text);
  if (address === undefined || isMapped(address)) return [nonStandard(field, 'IP address', addressText(sloppy))];
  const canonical = addressText(address);
  if (address.bytes.length === 4 || canonical === text) return [];
  return [`${field.path}: IPv6 address ${quote(text)} should be in RFC 5952 canonical format (${quote(canonical)})`];
}

/** Returns warnings about a valid network address in a non-canonical form. Source: GetWarningsForCIDR. */
export function networkWarnings(field: FieldPath): string[] {
  const text = field.text();
  const sloppy = parseCidrSloppy(text);
  if (sloppy === undefined) return [];
  const masked = maskedPrefix(sloppy);
  const network = networkText(masked);
  const single = `${shownAddress(sloppy)}/${sloppy.address.bytes.length * 8}`;
  const hasHostBits = addressText(masked.address) !== addressText(sloppy.address);
  const warnings = hasHostBits
    ? [`${field.path}: CIDR value ${quote(text)} is ambiguous in this context (should be ${quote(network)} or ${quote(single)}?)`]
    : [];
  const prefix = standardCidr(text);
  if (prefix === undefined || isMapped(prefix.address)) return [...warnings, nonStandard(field, 'CIDR value', network)];
  if (hasHostBits || prefix.address.bytes.length === 4 || network === text) return warnings;
  return [`${field.path}: IPv6 CIDR value ${quote(text)} should be in RFC 5952 canonical format (${quote(network)})`];
}

/** Returns a network address as Go's net package prints it: IPv4-mapped ones as IPv4. */
function networkText(prefix: Prefix): string {
  return `${shownAddress(prefix)}/${isMapped(prefix.address) ? prefix.bits - 96 : prefix.bits}`;
}

function shownAddress({ address }: Prefix): string {
  return addressText(isMapped(address) ? { bytes: address.bytes.slice(12), zone: '' } : address);
}

function nonStandard(field: FieldPath, what: string, standard: string): string {
  const message = field.server.since('v1.36') ? 'is invalid' : 'will be considered invalid in a future Kubernetes release';
  return `${field.path}: non-standard ${what} ${quote(field.text())} ${message}: use ${quote(standard)}`;
}
