import { type Place, textOf } from '../../../../apiserver/registry/validation/place.js';
import { quote } from '../../../../go/quote.js';
import { canonicalIpv6, isMapped, sloppyCidr, sloppyIp } from '../../../../kubernetes/ip-rules.js';
import { since } from '../../../../kubernetes/kubernetes-version.js';

/** An address that is right but not written as it should be. Source: apimachinery util/validation/ip.go GetWarningsForIP. */
export function addressWarnings(place: Place): string[] {
  const text = textOf(place);
  const plain = sloppyIp(text);
  if (plain === undefined) return [];
  const isIpv4 = plain === text && !text.includes(':');
  const canonical = canonicalIpv6(text);
  if (!isIpv4 && (canonical === undefined || isMapped(text))) return [nonStandard(place, 'IP address', plain)];
  return canonical === undefined || canonical === text
    ? []
    : [`${place.path}: IPv6 address ${quote(text)} should be in RFC 5952 canonical format (${quote(canonical)})`];
}

/** The same for the address of a network. Source: GetWarningsForCIDR. */
export function networkWarnings(place: Place): string[] {
  const text = textOf(place);
  const cidr = sloppyCidr(text);
  if (cidr === undefined) return [];
  const single = `${cidr.address}/${cidr.network.includes(':') ? 128 : 32}`;
  const warnings = cidr.hasHostBits
    ? [`${place.path}: CIDR value ${quote(text)} is ambiguous in this context (should be ${quote(cidr.network)} or ${quote(single)}?)`]
    : [];
  if (!cidr.isStandard) return [...warnings, nonStandard(place, 'CIDR value', cidr.network)];
  if (warnings.length > 0 || cidr.network === text || !text.includes(':')) return warnings;
  return [`${place.path}: IPv6 CIDR value ${quote(text)} should be in RFC 5952 canonical format (${quote(cidr.network)})`];
}

function nonStandard(place: Place, what: string, standard: string): string {
  const words = since('v1.36') ? 'is invalid' : 'will be considered invalid in a future Kubernetes release';
  return `${place.path}: non-standard ${what} ${quote(textOf(place))} ${words}: use ${quote(standard)}`;
}
