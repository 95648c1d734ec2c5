import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
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
    if (service.text('spec', 'type') !== 'LoadBalancer' && points.length() > 0) {
      points.forbidden("may only be used when `spec.type` is 'LoadBalancer'");
      return;
    }
    for (const point of points.items()) {
      checkAddress(point, old);
      checkMode(point.child('ipMode'), point.text('ip') !== '');
      checkHostname(point.child('hostname'));
    }
  },
];

function checkMode(mode: FieldPath, hasAddress: boolean): void {
  if (!mode.isSet()) {
    if (hasAddress) mode.required('must be specified when `ip` is set');
  } else if (!hasAddress) mode.forbidden('may not be specified when `ip` is not set');
  else if (!ipModes.includes(mode.text())) mode.notSupported(ipModes);
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
