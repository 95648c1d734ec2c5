import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import {
  addForbidden,
  addRequired,
  addUnsupported,
  at,
  indexed,
  isSet,
  lengthOf,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { dns1035LabelProblems, dns1123LabelProblems } from '../../../kubernetes/name-rules.js';
import { checkAddress, checkHostname, loadBalancerWarnings, pointsOf } from './load-balancer-status.js';
import { service } from './service-strategy.js';
import { serviceRules } from './service-validation.js';

const ipModes = ['Proxy', 'VIP'];

/** Source: core/validation ValidateServiceStatusUpdate. */
const serviceStatus: readonly UpdateStep[] = [
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
  fieldLabels: { fields: ['metadata.namespace', 'spec.clusterIP', 'spec.type'] },
};
