import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import { addRequired, at, hasSet, isSet, itemsAt, textAt, textOf } from '../../../apiserver/registry/validation/place.js';
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
    textAt(endpoints, 'metadata', 'labels', 'endpoints.kubernetes.io/managed-by') === 'endpoint-controller'
      ? []
      : itemsAt(endpoints, 'subsets').flatMap(subset =>
          ['addresses', 'notReadyAddresses'].flatMap(list => itemsAt(subset, list).flatMap(address => addressWarnings(at(address, 'ip')))),
        ),
};

function checkEndpoints(endpoints: Place): void {
  for (const subset of itemsAt(endpoints, 'subsets')) {
    const [ready, notReady, ports] = ['addresses', 'notReadyAddresses', 'ports'].map(name => itemsAt(subset, name));
    const addresses = [...(ready ?? []), ...(notReady ?? [])];
    if (addresses.length === 0) addRequired(subset, 'must specify `addresses` or `notReadyAddresses`');
    for (const address of addresses) checkAddress(address);
    for (const port of ports ?? []) checkEndpointPort(port, (ports ?? []).length > 1);
  }
}

function checkAddress(address: Place): void {
  const [ip, hostname, node] = [at(address, 'ip'), at(address, 'hostname'), at(address, 'nodeName')];
  checkName(ip, text => ipProblems(address.server, text));
  if (textOf(hostname) !== '') checkName(hostname, dns1123LabelProblems);
  if (isSet(node)) checkName(node, dns1123SubdomainProblems);
  checkEndpointIp(ip);
}

function checkEndpointPort(port: Place, needsName: boolean): void {
  const name = at(port, 'name');
  if (textOf(name) !== '') checkName(name, dns1123LabelProblems);
  else if (needsName) addRequired(name);
  checkPort(at(port, 'port'));
  checkOneOf(at(port, 'protocol'), ['SCTP', 'TCP', 'UDP']);
  if (hasSet(port, 'appProtocol')) checkName(at(port, 'appProtocol'), text => labelKeyProblems(port.server, text));
}

/** Endpoints. */
export const endpointsKind: KindDefinition = { validation: endpointsRules, allowsCreateOnUpdate: true };
