import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkName, checkOneOf, checkPort } from '../../../apiserver/registry/validation/rules.js';
import { ipProblems } from '../../../kubernetes/ip-rules.js';
import { dns1123LabelProblems, dns1123SubdomainProblems, labelKeyProblems } from '../../../kubernetes/name-rules.js';
import { addressWarnings } from '../pod/validation/address-warnings.js';
import { checkEndpointIp } from './endpoint-address.js';

/** Source: core/validation ValidateEndpoints. */
const endpointsRules: KindRules = {
  create: checkEndpoints,
  update: ['changes', 'metadata', checkEndpoints],
  warnings: endpoints =>
    endpoints.text('metadata', 'labels', 'endpoints.kubernetes.io/managed-by') === 'endpoint-controller'
      ? []
      : endpoints
          .items('subsets')
          .flatMap(subset =>
            ['addresses', 'notReadyAddresses'].flatMap(list => subset.items(list).flatMap(address => addressWarnings(address.child('ip')))),
          ),
};

function checkEndpoints(endpoints: FieldPath): void {
  for (const subset of endpoints.items('subsets')) {
    const [ready, notReady, ports] = ['addresses', 'notReadyAddresses', 'ports'].map(name => subset.items(name));
    const addresses = [...(ready ?? []), ...(notReady ?? [])];
    if (addresses.length === 0) subset.required('must specify `addresses` or `notReadyAddresses`');
    for (const address of addresses) checkAddress(address);
    for (const port of ports ?? []) checkEndpointPort(port, (ports ?? []).length > 1);
  }
}

function checkAddress(address: FieldPath): void {
  const [ip, hostname, node] = [address.child('ip'), address.child('hostname'), address.child('nodeName')];
  checkName(ip, text => ipProblems(address.server, text));
  if (hostname.text() !== '') checkName(hostname, dns1123LabelProblems);
  if (node.isSet()) checkName(node, dns1123SubdomainProblems);
  checkEndpointIp(ip);
}

function checkEndpointPort(port: FieldPath, needsName: boolean): void {
  const name = port.child('name');
  if (name.text() !== '') checkName(name, dns1123LabelProblems);
  else if (needsName) name.required();
  checkPort(port.child('port'));
  checkOneOf(port.child('protocol'), ['SCTP', 'TCP', 'UDP']);
  if (port.has('appProtocol')) checkName(port.child('appProtocol'), text => labelKeyProblems(port.server, text));
}

/** Endpoints. */
export const endpointsKind: KindDefinition = { validation: endpointsRules, allowsCreateOnUpdate: true };
