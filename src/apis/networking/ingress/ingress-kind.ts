import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkAddress, checkHostname, loadBalancerWarnings, pointsOf } from '../../core/service/load-balancer-status.js';
import { ingressRules } from './ingress-validation.js';

/** Source: networking/validation ValidateIngressStatusUpdate. */
const ingressStatus: readonly UpdateStep[] = [
  'changes',
  (ingress, old) => {
    for (const point of pointsOf(ingress).items()) {
      checkAddress(point, old);
      checkHostname(point.child('hostname'));
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
