import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { loadBalancerWarnings } from '../../core/service/load-balancer-status.js';
import { ingressStatus } from './ingress-status-validation.js';
import { ingressRules } from './ingress-validation.js';

/** Ingress. */
export const ingressKind: KindDefinition = {
  validation: ingressRules,
  subresources: { status: { update: ingressStatus, warnings: loadBalancerWarnings } },
  hasGeneration: true,
  resetsStatus: true,
};
