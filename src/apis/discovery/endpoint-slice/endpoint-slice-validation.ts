import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { domainNameErrors } from '../../../apiserver/registry/validation/fully-qualified-name.js';
import { checkImmutable, sameMember } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkLabels, checkName, checkOneOf } from '../../../apiserver/registry/validation/rules.js';
import { canonicalIpProblems, ipProblems, isIpv6Text } from '../../../kubernetes/ip-rules.js';
import { dns1123LabelProblems, dns1123SubdomainProblems, labelKeyProblems, labelValueProblems } from '../../../kubernetes/name-rules.js';
import { checkEndpointIp } from '../../core/endpoints/endpoint-address.js';
import { addressWarnings } from '../../core/pod/validation/address-warnings.js';

const sliceType = 'discovery/v1.EndpointSlice';

/** Source: discovery/validation ValidateEndpointSlice. */
export const endpointSliceRules: KindRules = {
  create: checkSlice,
  update: ['metadata', checkSlice, (slice, old) => checkImmutable(slice, old, { type: sliceType, name: 'addressType' })],
  warnings: (slice, old) => [
    ...(old === undefined && slice.text('addressType') === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
    ...(controllers.includes(slice.text('metadata', 'labels', 'endpointslice.kubernetes.io/managed-by'))
      ? []
      : slice.items('endpoints').flatMap(endpoint => endpoint.items('addresses').flatMap(addressWarnings))),
  ],
};

/** Controllers that write canonical addresses. */
const controllers = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'];

function checkSlice(slice: FieldPath, old?: FieldPath): void {
  const type = slice.child('addressType');
  checkOneOf(type, ['FQDN', 'IPv4', 'IPv6']);
  checkSlicePorts(slice.child('ports'));
  const endpoints = slice.child('endpoints');
  const before = old === undefined ? undefined : old.child('endpoints').value;
  if (old !== undefined && sameMember(slice.server, endpoints.value, before, { type: sliceType, name: 'endpoints' })) return;
  checkAtMost(endpoints, 1000, () => {
    for (const endpoint of endpoints.items()) {
      checkAddressCount(endpoint.child('addresses'));
      checkSliceEndpoint(endpoint, type.text());
    }
  });
}

/** Validates a list further unless it is too long. */
function checkAtMost(list: FieldPath, maximum: number, check: () => void): void {
  if (list.length() > maximum) list.tooMany(list.length(), maximum);
  else check();
}

function checkSlicePorts(ports: FieldPath): void {
  checkAtMost(ports, 20_000, () => checkEachPort(ports));
}

function checkEachPort(ports: FieldPath): void {
  const names = new Set<string>();
  for (const port of ports.items()) {
    const [name, protocol] = [port.child('name'), port.child('protocol')];
    if (name.text() !== '') checkName(name, dns1123LabelProblems);
    if (names.has(name.text())) name.duplicate();
    names.add(name.text());
    if (!protocol.isSet()) protocol.required();
    else if (!['SCTP', 'TCP', 'UDP'].includes(protocol.text())) protocol.notSupported(['SCTP', 'TCP', 'UDP']);
    if (port.has('appProtocol')) checkName(port.child('appProtocol'), text => labelKeyProblems(ports.server, text));
  }
}

function checkAddressCount(addresses: FieldPath): void {
  if (addresses.length() === 0) addresses.required('must contain at least 1 address');
  else if (addresses.length() > 100) addresses.tooMany(addresses.length(), 100);
}

function checkSliceEndpoint(endpoint: FieldPath, type: string): void {
  const addresses = endpoint.child('addresses');
  for (const address of addresses.items()) checkSliceAddress(address, addresses, type);
  if (endpoint.has('nodeName')) checkName(endpoint.child('nodeName'), dns1123SubdomainProblems);
  const topology = endpoint.child('deprecatedTopology');
  if (topology.length() > 16) topology.tooMany(topology.length(), 16);
  checkLabels(topology);
  if (endpoint.has('hostname')) checkName(endpoint.child('hostname'), dns1123LabelProblems);
  const [zones, nodes] = [endpoint.child('hints', 'forZones'), endpoint.child('hints', 'forNodes')];
  checkAtMost(zones, 8, () => {
    checkHints(zones, text => labelValueProblems(endpoint.server, text));
    checkAtMost(nodes, 8, () => checkHints(nodes, dns1123SubdomainProblems));
  });
}

function checkSliceAddress(address: FieldPath, list: FieldPath, type: string): void {
  if (type !== 'IPv4' && type !== 'IPv6') {
    if (type === 'FQDN') address.add(domainNameErrors(address.path, address.text()));
    return;
  }
  const before = address.errors.length;
  checkName(address, text => (type === 'IPv6' ? canonicalIpProblems(address.server, text) : ipProblems(address.server, text)));
  if (address.errors.length > before) return;
  if (isIpv6Text(address.text()) !== (type === 'IPv6')) list.invalid(address.text(), `must be an ${type} address`);
  checkEndpointIp(address);
}

function checkHints(hints: FieldPath, rule: (text: string) => string[]): void {
  const seen = new Set<string>();
  for (const name of hints.items().map(hint => hint.child('name'))) {
    if (seen.has(name.text())) name.duplicate();
    seen.add(name.text());
    checkName(name, rule);
  }
}
