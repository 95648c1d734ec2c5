import { type Place, textOf } from '../../../../apiserver/registry/validation/place.js';
import { quote } from '../../../../go/quote.js';
import { canonicalIpv6 } from '../../../../kubernetes/ip-rules.js';

/**
 * Returns warnings about valid addresses that are not in canonical form. Forms with leading zeros do not get this far. Source:
 * validation.GetWarningsForIP.
 */
export function addressWarnings(place: Place): string[] {
  const text = textOf(place);
  const canonical = canonicalIpv6(text);
  return canonical === undefined || canonical === text
    ? []
    : [`${place.path}: IPv6 address ${quote(text)} should be in RFC 5952 canonical format (${quote(canonical)})`];
}

/** Returns warnings about a network address that is not in canonical form. Source: validation.GetWarningsForCIDR. */
export function networkWarnings(place: Place): string[] {
  const text = textOf(place);
  const [ip = '', length = ''] = text.split('/');
  const canonical = `${canonicalIpv6(ip) ?? ip}/${length}`;
  return canonical === text || text === ''
    ? []
    : [`${place.path}: IPv6 CIDR value ${quote(text)} should be in RFC 5952 canonical format (${quote(canonical)})`];
}
