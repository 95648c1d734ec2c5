import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { dns1035LabelProblems, dns1123LabelProblems } from '../../../kubernetes/name-rules.js';
import { loadBalancerWarnings } from './load-balancer-status.js';
import { serviceStatus } from './service-status-validation.js';
import { service } from './service-strategy.js';
import { serviceRules } from './service-validation.js';

/** Service. */
export const serviceKind: KindDefinition = {
  refine: service,
  validation: serviceRules,
  nameProblems: (name, _object, server) =>
    server.isEnabled('RelaxedServiceNameValidation') ? dns1123LabelProblems(name) : dns1035LabelProblems(name),
  subresources: { status: { update: serviceStatus, warnings: loadBalancerWarnings } },
  allowsCreateOnUpdate: true,
  resetsStatus: true,
  deletion: { returnsObject: true },
};
