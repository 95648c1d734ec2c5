import { addInvalid, addProblems, at, indexed, itemsAt, type Place, textAt, textOf } from '../../../apiserver/registry/validation/place.js';
import { ipProblems, parseIpSloppy } from '../../../kubernetes/ip-rules.js';
import { dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';
import { addressWarnings } from '../pod/validation/address-warnings.js';

/**
 * Returns warnings about addresses that are not in canonical form. Source: kubernetes pkg/registry/core/service and networking/ingress,
 * WarningsOnUpdate of the status.
 */
export function loadBalancerWarnings(object: Place): string[] {
  return indexed(pointsOf(object)).flatMap(point => addressWarnings({ ...at(point, 'ip'), path: point.path }));
}

export function pointsOf(object: Place): Place {
  return at(object, 'status', 'loadBalancer', 'ingress');
}

/** Validates an address; stored ones may stay as they are. */
export function checkAddress(point: Place, old: Place): void {
  const ip = at(point, 'ip');
  const stored = itemsAt(old, 'status', 'loadBalancer', 'ingress').map(other => textAt(other, 'ip'));
  if (textOf(ip) !== '' && !stored.includes(textOf(ip))) addProblems(ip, ipProblems(point.server, textOf(ip)));
}

export function checkHostname(hostname: Place): void {
  const name = textOf(hostname);
  if (name === '') return;
  addProblems(hostname, dns1123SubdomainProblems(name));
  if (parseIpSloppy(name) !== undefined) addInvalid(hostname, 'must be a DNS name, not an IP address');
}
