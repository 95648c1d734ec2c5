import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { at, indexed } from '../../../apiserver/registry/validation/place.js';
import { checkAddress, checkHostname, loadBalancerWarnings, pointsOf } from '../../core/service/load-balancer-status.js';
import { ingressRules } from './ingress-validation.js';

/** Source: networking/validation ValidateIngressStatusUpdate. */
const ingressStatus: readonly UpdateStep[] = [
  'changes',
  (ingress, old) => {
    for (const point of indexed(pointsOf(ingress))) {
      checkAddress(point, old);
      checkHostname(at(point, 'hostname'));
    }
  },
];

/** Ingress. */
export const ingressKind: KindDefinition = {
  validation: ingressRules,
  subresources: { status: { update: ingressStatus, warnings: loadBalancerWarnings } },
  hasGeneration: true,
  resetsStatus: true,
};
