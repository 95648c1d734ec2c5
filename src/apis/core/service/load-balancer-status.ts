import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { ipProblems, parseIpSloppy } from '../../../kubernetes/ip-rules.js';
import { dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';
import { addressWarnings } from '../pod/validation/address-warnings.js';

/**
 * Returns warnings about addresses that are not in canonical form. Source: kubernetes pkg/registry/core/service and networking/ingress,
 * WarningsOnUpdate of the status.
 */
export function loadBalancerWarnings(object: FieldPath): string[] {
  return pointsOf(object)
    .items()
    .flatMap(point => addressWarnings(point.child('ip').shownAt(point.path)));
}

export function pointsOf(object: FieldPath): FieldPath {
  return object.child('status', 'loadBalancer', 'ingress');
}

/** Validates an address; stored ones may stay as they are. */
export function checkAddress(point: FieldPath, old: FieldPath): void {
  const ip = point.child('ip');
  const stored = old.items('status', 'loadBalancer', 'ingress').map(other => other.text('ip'));
  if (ip.text() !== '' && !stored.includes(ip.text())) ip.invalidEach(ipProblems(point.server, ip.text()));
}

export function checkHostname(hostname: FieldPath): void {
  const name = hostname.text();
  if (name === '') return;
  hostname.invalidEach(dns1123SubdomainProblems(name));
  if (parseIpSloppy(name) !== undefined) hostname.invalid('must be a DNS name, not an IP address');
}
