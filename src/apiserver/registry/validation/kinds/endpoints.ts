import { tooMany } from '../../../../kubernetes/field-error.js';
import { cidrProblems, ipNumber, ipProblems, isIpv6Text } from '../../../../kubernetes/ip-rules.js';
import { dns1123LabelProblems, dns1123SubdomainProblems, labelKeyProblems, labelValueProblems } from '../../../../kubernetes/name-rules.js';
import { checkImmutable } from '../immutable.js';
import type { KindRules } from '../kind-rules.js';
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
} from '../place.js';
import { addressWarnings } from '../pods/address-warnings.js';
import { checkLabels, checkName, checkOneOf, checkPort } from '../rules.js';

/** Source: core/validation ValidateEndpoints. */
export const endpointsRules: KindRules = {
  create: checkEndpoints,
  update: ['changes', 'metadata', checkEndpoints],
  warnings: endpoints =>
    textAt(endpoints, 'metadata', 'labels', 'endpoints.kubernetes.io/managed-by') === 'endpoint-controller'
      ? []
      : itemsAt(endpoints, 'subsets').flatMap(subset =>
          ['addresses', 'notReadyAddresses'].flatMap(list => itemsAt(subset, list).flatMap(address => addressWarnings(at(address, 'ip')))),
        ),
};

/** Source: discovery/validation ValidateEndpointSlice. */
export const endpointSliceRules: KindRules = {
  create: checkSlice,
  update: ['metadata', checkSlice, (slice, old) => checkImmutable(slice, old, { type: 'discovery/v1.EndpointSlice', name: 'addressType' })],
  warnings: (slice, old) => [
    ...(old === undefined && textAt(slice, 'addressType') === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
    ...(controllers.includes(textAt(slice, 'metadata', 'labels', 'endpointslice.kubernetes.io/managed-by'))
      ? []
      : itemsAt(slice, 'endpoints').flatMap(endpoint => itemsAt(endpoint, 'addresses').flatMap(addressWarnings))),
  ],
};

/** Controllers that write addresses as they should be. */
const controllers = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'];

/** Addresses no service can be behind. Source: ValidateEndpointIP. */
export function checkEndpointIp(place: Place): void {
  const text = textOf(place);
  const number = ipNumber(text);
  if (number === undefined) {
    addInvalid(place, 'must be a valid IP address');
    return;
  }
  const isIn = (bits: bigint, value: bigint): boolean => number >> ((isIpv6Text(text) ? 128n : 32n) - bits) === value;
  const six = isIpv6Text(text);
  if (number === 0n) addInvalid(place, `may not be unspecified (${text})`);
  if (six ? number === 1n : isIn(8n, 127n)) addInvalid(place, 'may not be in the loopback range (127.0.0.0/8, ::1/128)');
  if (six ? isIn(10n, 0x3fan) : isIn(16n, 0xa9fen)) addInvalid(place, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  if (six ? isIn(16n, 0xff02n) : isIn(24n, 0xe00000n))
    addInvalid(place, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
}

/** The address of a network. */
export function checkCidr(place: Place): void {
  checkName(place, cidrProblems);
}

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
  checkName(ip, ipProblems);
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
  if (hasSet(port, 'appProtocol')) checkName(at(port, 'appProtocol'), labelKeyProblems);
}

function checkSlice(slice: Place): void {
  const type = at(slice, 'addressType');
  checkOneOf(type, ['FQDN', 'IPv4', 'IPv6']);
  checkSlicePorts(at(slice, 'ports'));
  const endpoints = at(slice, 'endpoints');
  if (lengthOf(endpoints) > 1000) endpoints.errors.push(tooMany(endpoints.path, lengthOf(endpoints), 1000));
  for (const endpoint of indexed(endpoints)) checkSliceEndpoint(endpoint, textOf(type));
}

function checkSlicePorts(ports: Place): void {
  if (lengthOf(ports) > 20_000) ports.errors.push(tooMany(ports.path, lengthOf(ports), 20_000));
  const names = new Set<string>();
  for (const port of indexed(ports)) {
    const [name, protocol] = [at(port, 'name'), at(port, 'protocol')];
    if (textOf(name) !== '') checkName(name, dns1123LabelProblems);
    if (names.has(textOf(name))) addDuplicate(name);
    names.add(textOf(name));
    if (!isSet(protocol)) addRequired(protocol);
    else if (!['SCTP', 'TCP', 'UDP'].includes(textOf(protocol))) addUnsupported(protocol, ['SCTP', 'TCP', 'UDP']);
    if (hasSet(port, 'appProtocol')) checkName(at(port, 'appProtocol'), labelKeyProblems);
  }
}

function checkSliceEndpoint(endpoint: Place, type: string): void {
  const addresses = at(endpoint, 'addresses');
  if (lengthOf(addresses) === 0) addRequired(addresses, 'must contain at least 1 address');
  else if (lengthOf(addresses) > 100) addresses.errors.push(tooMany(addresses.path, lengthOf(addresses), 100));
  for (const address of indexed(addresses)) checkSliceAddress(address, addresses, type);
  if (hasSet(endpoint, 'nodeName')) checkName(at(endpoint, 'nodeName'), dns1123SubdomainProblems);
  checkLabels(at(endpoint, 'deprecatedTopology'));
  if (hasSet(endpoint, 'hostname')) checkName(at(endpoint, 'hostname'), dns1123LabelProblems);
  checkHints(at(endpoint, 'hints', 'forZones'), labelValueProblems);
  checkHints(at(endpoint, 'hints', 'forNodes'), dns1123SubdomainProblems);
}

function checkSliceAddress(address: Place, list: Place, type: string): void {
  if (type !== 'IPv4' && type !== 'IPv6') {
    if (type === 'FQDN') checkName(address, dns1123SubdomainProblems);
    return;
  }
  const before = address.errors.length;
  checkName(address, ipProblems);
  if (address.errors.length > before) return;
  if (isIpv6Text(textOf(address)) !== (type === 'IPv6')) addInvalid(list, `must be an ${type} address`, textOf(address));
  checkEndpointIp(address);
}

function checkHints(hints: Place, rule: (text: string) => string[]): void {
  if (lengthOf(hints) > 8) hints.errors.push(tooMany(hints.path, lengthOf(hints), 8));
  const seen = new Set<string>();
  for (const name of indexed(hints).map(hint => at(hint, 'name'))) {
    if (seen.has(textOf(name))) addDuplicate(name);
    seen.add(textOf(name));
    checkName(name, rule);
  }
}
