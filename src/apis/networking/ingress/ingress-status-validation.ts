import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { at, indexed } from '../../../apiserver/registry/validation/place.js';
import { checkAddress, checkHostname, pointsOf } from '../../core/service/load-balancer-status.js';

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
