import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import {
  addForbidden,
  addRequired,
  addUnsupported,
  at,
  indexed,
  isSet,
  lengthOf,
  type Place,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkAddress, checkHostname, pointsOf } from './load-balancer-status.js';

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

function checkMode(mode: Place, hasAddress: boolean): void {
  if (!isSet(mode)) {
    if (hasAddress) addRequired(mode, 'must be specified when `ip` is set');
  } else if (!hasAddress) addForbidden(mode, 'may not be specified when `ip` is not set');
  else if (!ipModes.includes(textOf(mode))) addUnsupported(mode, ipModes);
}
