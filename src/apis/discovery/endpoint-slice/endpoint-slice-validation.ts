import { declared } from '../../../apiserver/registry/validation/declared.js';
import { domainNameErrors } from '../../../apiserver/registry/validation/fully-qualified-name.js';
import { checkDeclaredImmutable, sameMember } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import {
  addDuplicate,
  addInvalid,
  addRequired,
  addUnsupported,
  at,
  hasSet,
  indexed,
  isSet,
  itemsAt,
  lengthOf,
  type Place,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkLabels, checkName, checkOneOf } from '../../../apiserver/registry/validation/rules.js';
import { tooMany } from '../../../kubernetes/field-error.js';
import { canonicalIpProblems, ipProblems, isIpv6Text } from '../../../kubernetes/ip-rules.js';
import { dns1123LabelProblems, dns1123SubdomainProblems, labelKeyProblems, labelValueProblems } from '../../../kubernetes/name-rules.js';
import { checkEndpointIp } from '../../core/endpoints/endpoint-address.js';
import { addressWarnings } from '../../core/pod/validation/address-warnings.js';

const sliceType = 'discovery/v1.EndpointSlice';

/** Source: discovery/validation ValidateEndpointSlice. */
export const endpointSliceRules: KindRules = {
  create: checkSlice,
  update: ['metadata', checkSlice, (slice, old) => checkDeclaredImmutable(slice, old, { type: sliceType, name: 'addressType' })],
  warnings: (slice, old) => [
    ...(old === undefined && textAt(slice, 'addressType') === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
    ...(controllers.includes(textAt(slice, 'metadata', 'labels', 'endpointslice.kubernetes.io/managed-by'))
      ? []
      : itemsAt(slice, 'endpoints').flatMap(endpoint => itemsAt(endpoint, 'addresses').flatMap(addressWarnings))),
  ],
};

/** Controllers that write canonical addresses. */
const controllers = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'];

function checkSlice(slice: Place, old?: Place): void {
  const type = at(slice, 'addressType');
  const types = ['FQDN', 'IPv4', 'IPv6'];
  // A changed type fails for that alone, unless it is missing.
  if (old === undefined || textOf(type) === '') declared(type, old && at(old, 'addressType'), () => checkOneOf(type, types));
  else checkOneOf(type, types);
  checkSlicePorts(at(slice, 'ports'));
  const endpoints = at(slice, 'endpoints');
  const before = old === undefined ? undefined : at(old, 'endpoints').value;
  if (old !== undefined && sameMember(slice.server, endpoints.value, before, { type: sliceType, name: 'endpoints' })) return;
  checkAtMost(endpoints, 1000, () => {
    for (const endpoint of indexed(endpoints)) {
      declared(endpoints, old && at(old, 'endpoints'), isDeclared => checkAddressCount(at(endpoint, 'addresses'), isDeclared));
      checkSliceEndpoint(endpoint, textOf(type));
    }
  });
}

/** Validates a list further unless it is too long. */
function checkAtMost(list: Place, maximum: number, check: () => void): void {
  if (lengthOf(list) > maximum) list.errors.push(tooMany(list.path, lengthOf(list), maximum));
  else check();
}

function checkSlicePorts(ports: Place): void {
  checkAtMost(ports, 20_000, () => checkEachPort(ports));
}

function checkEachPort(ports: Place): void {
  const names = new Set<string>();
  for (const port of indexed(ports)) {
    const [name, protocol] = [at(port, 'name'), at(port, 'protocol')];
    if (textOf(name) !== '') checkName(name, dns1123LabelProblems);
    if (names.has(textOf(name))) addDuplicate(name);
    names.add(textOf(name));
    if (!isSet(protocol)) addRequired(protocol);
    else if (!['SCTP', 'TCP', 'UDP'].includes(textOf(protocol))) addUnsupported(protocol, ['SCTP', 'TCP', 'UDP']);
    if (hasSet(port, 'appProtocol')) checkName(at(port, 'appProtocol'), text => labelKeyProblems(ports.server, text));
  }
}

function checkAddressCount(addresses: Place, isDeclared: boolean): void {
  if (lengthOf(addresses) === 0) addRequired(addresses, isDeclared ? '' : 'must contain at least 1 address');
  else if (lengthOf(addresses) > 100) addresses.errors.push(tooMany(addresses.path, lengthOf(addresses), 100));
}

function checkSliceEndpoint(endpoint: Place, type: string): void {
  const addresses = at(endpoint, 'addresses');
  for (const address of indexed(addresses)) checkSliceAddress(address, addresses, type);
  if (hasSet(endpoint, 'nodeName')) checkName(at(endpoint, 'nodeName'), dns1123SubdomainProblems);
  const topology = at(endpoint, 'deprecatedTopology');
  if (lengthOf(topology) > 16) topology.errors.push(tooMany(topology.path, lengthOf(topology), 16));
  checkLabels(topology);
  if (hasSet(endpoint, 'hostname')) checkName(at(endpoint, 'hostname'), dns1123LabelProblems);
  const [zones, nodes] = [at(endpoint, 'hints', 'forZones'), at(endpoint, 'hints', 'forNodes')];
  checkAtMost(zones, 8, () => {
    checkHints(zones, text => labelValueProblems(endpoint.server, text));
    checkAtMost(nodes, 8, () => checkHints(nodes, dns1123SubdomainProblems));
  });
}

function checkSliceAddress(address: Place, list: Place, type: string): void {
  if (type !== 'IPv4' && type !== 'IPv6') {
    if (type === 'FQDN') address.errors.push(...domainNameErrors(address.path, textOf(address)));
    return;
  }
  const before = address.errors.length;
  checkName(address, text => (type === 'IPv6' ? canonicalIpProblems(address.server, text) : ipProblems(address.server, text)));
  if (address.errors.length > before) return;
  if (isIpv6Text(textOf(address)) !== (type === 'IPv6')) addInvalid(list, `must be an ${type} address`, textOf(address));
  checkEndpointIp(address);
}

function checkHints(hints: Place, rule: (text: string) => string[]): void {
  const seen = new Set<string>();
  for (const name of indexed(hints).map(hint => at(hint, 'name'))) {
    if (seen.has(textOf(name))) addDuplicate(name);
    seen.add(textOf(name));
    checkName(name, rule);
  }
}
