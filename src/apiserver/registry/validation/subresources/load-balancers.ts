import { ipNumber, ipProblems } from '../../../../kubernetes/ip-rules.js';
import { dns1123SubdomainProblems } from '../../../../kubernetes/name-rules.js';
import type { UpdateStep } from '../kind-rules.js';
import {
  addForbidden,
  addInvalid,
  addProblems,
  addRequired,
  addUnsupported,
  at,
  indexed,
  isSet,
  itemsAt,
  lengthOf,
  type Place,
  textAt,
  textOf,
} from '../place.js';
import { addressWarnings } from '../pods/address-warnings.js';

const ipModes = ['Proxy', 'VIP'];

/** Source: core/validation ValidateServiceStatusUpdate. */
export const serviceStatus: readonly UpdateStep[] = [
  'changes',
  (service, old) => {
    const points = pointsOf(service);
    if (textAt(service, 'spec', 'type') !== 'LoadBalancer' && lengthOf(points) > 0) {
      addForbidden(points, "may only be used when `spec.type` is 'LoadBalancer'");
      return;
    }
    for (const point of indexed(points)) {
      checkAddress(point, old);
      checkMode(at(point, 'ipMode'), textAt(point, 'ip') !== '');
      checkHostname(at(point, 'hostname'));
    }
  },
];

/** Source: networking/validation ValidateIngressStatusUpdate. */
export const ingressStatus: readonly UpdateStep[] = [
  'changes',
  (ingress, old) => {
    for (const point of indexed(pointsOf(ingress))) {
      checkAddress(point, old);
      checkHostname(at(point, 'hostname'));
    }
  },
];

/** Addresses that are not written as they should be. Source: kubernetes pkg/registry/core/service and networking/ingress, WarningsOnUpdate of the status. */
export function loadBalancerWarnings(object: Place): string[] {
  return indexed(pointsOf(object)).flatMap(point => addressWarnings({ ...at(point, 'ip'), path: point.path }));
}

function pointsOf(object: Place): Place {
  return at(object, 'status', 'loadBalancer', 'ingress');
}

/** Addresses that were there before may stay as they are. */
function checkAddress(point: Place, old: Place): void {
  const ip = at(point, 'ip');
  const stored = itemsAt(old, 'status', 'loadBalancer', 'ingress').map(other => textAt(other, 'ip'));
  if (textOf(ip) !== '' && !stored.includes(textOf(ip))) addProblems(ip, ipProblems(textOf(ip)));
}

function checkMode(mode: Place, hasAddress: boolean): void {
  if (!isSet(mode)) {
    if (hasAddress) addRequired(mode, 'must be specified when `ip` is set');
  } else if (!hasAddress) addForbidden(mode, 'may not be specified when `ip` is not set');
  else if (!ipModes.includes(textOf(mode))) addUnsupported(mode, ipModes);
}

function checkHostname(hostname: Place): void {
  const name = textOf(hostname);
  if (name === '') return;
  addProblems(hostname, dns1123SubdomainProblems(name));
  if (ipNumber(name) !== undefined) addInvalid(hostname, 'must be a DNS name, not an IP address');
}
