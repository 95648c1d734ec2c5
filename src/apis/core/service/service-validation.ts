import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import {
  addDuplicate,
  addForbidden,
  addInvalid,
  addRequired,
  addUnsupported,
  addUnsupportedText,
  at,
  entryAt,
  hasSet,
  indexed,
  isSet,
  itemsAt,
  lengthOf,
  numberAt,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkLabels, checkName, checkOneOf, checkPort } from '../../../apiserver/registry/validation/rules.js';
import { goString } from '../../../go/json/write.js';
import { cidrProblems, ipProblems } from '../../../kubernetes/ip-rules.js';
import { dns1123LabelProblems, dns1123SubdomainProblems, labelKeyProblems } from '../../../kubernetes/name-rules.js';
import { checkEndpointIp } from '../endpoints/endpoint-address.js';
import { addressWarnings, networkWarnings } from '../pod/validation/address-warnings.js';
import { checkPortOrName } from '../pod/validation/container-handlers.js';
import { checkBalancerClass, keepAllocated, needsHealthCheck } from './service-changes.js';
import { checkClusterIps, isHeadless } from './service-cluster-ips.js';

/** Source: core/validation ValidateServiceCreate. */
export const serviceRules: KindRules = {
  create: checkService,
  update: ['changes', keepAllocated, checkService],
  warnings: serviceWarnings,
};

const hints = 'service.kubernetes.io/topology-aware-hints';
const mode = 'service.kubernetes.io/topology-mode';

/** Validates that the annotations for topology agree. Source: core/validation ValidateService. */
function checkTopology(annotations: Place): void {
  const [old, now] = [entryAt(annotations, hints), entryAt(annotations, mode)];
  if (isSet(old) && isSet(now) && textOf(old) !== textOf(now)) addInvalid(now, `must match annotations[${hints}] when both are specified`);
}

function checkService(service: Place): void {
  const spec = at(service, 'spec');
  checkTopology(at(service, 'metadata', 'annotations'));
  const type = textAt(spec, 'type');
  if (lengthOf(at(spec, 'ports')) === 0 && !isHeadless(spec) && type !== 'ExternalName') addRequired(at(spec, 'ports'));
  checkType(spec, type);
  checkPorts(spec);
  checkLabels(at(spec, 'selector'));
  checkAffinity(spec);
  checkClusterIps(spec);
  for (const ip of itemsAt(spec, 'externalIPs')) {
    const before = ip.errors.length;
    checkName(ip, text => ipProblems(service.server, text));
    if (ip.errors.length === before) checkEndpointIp(ip);
  }
  checkOneOf(at(spec, 'type'), ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']);
  checkPortClashes(spec, type);
  checkSourceRanges(service, type);
  const allocates = at(spec, 'allocateLoadBalancerNodePorts');
  if (isSet(allocates) && type !== 'LoadBalancer') addForbidden(allocates, "may only be used when `type` is 'LoadBalancer'");
  if (!isSet(allocates) && type === 'LoadBalancer') addRequired({ ...allocates, path: 'allocateLoadBalancerNodePorts' });
  checkBalancerClass(spec);
  checkTraffic(spec, type);
}

function checkType(spec: Place, type: string): void {
  const first: Place = { ...at(spec, 'clusterIPs'), path: `${at(spec, 'clusterIPs').path}[0]`, value: 'None' };
  if ((type === 'LoadBalancer' || type === 'NodePort') && isHeadless(spec))
    addInvalid(first, `may not be set to 'None' for ${type} services`);
  if (type !== 'ExternalName') return;
  const message = 'may not be set for ExternalName services';
  for (const name of ['clusterIPs', 'ipFamilies']) if (lengthOf(at(spec, name)) > 0) addForbidden(at(spec, name), message);
  if (hasSet(spec, 'ipFamilyPolicy')) addForbidden(at(spec, 'ipFamilyPolicy'), message);
  const name = at(spec, 'externalName');
  const domain = textOf(name).replace(/\.$/, '');
  if (domain === '') addRequired(name);
  else checkName({ ...name, value: domain }, dns1123SubdomainProblems);
}

function checkPorts(spec: Place): void {
  const ports = itemsAt(spec, 'ports');
  const names = new Set<string>();
  for (const port of ports) {
    const name = at(port, 'name');
    if (textOf(name) !== '') {
      checkName(name, dns1123LabelProblems);
      if (names.has(textOf(name))) addDuplicate(name);
      names.add(textOf(name));
    } else if (ports.length > 1) addRequired(name);
    checkPort(at(port, 'port'));
    checkOneOf(at(port, 'protocol'), ['SCTP', 'TCP', 'UDP']);
    checkPortOrName(at(port, 'targetPort'));
    if (hasSet(port, 'appProtocol')) checkName(at(port, 'appProtocol'), text => labelKeyProblems(spec.server, text));
  }
}

function checkAffinity(spec: Place): void {
  const affinity = at(spec, 'sessionAffinity');
  const config = at(spec, 'sessionAffinityConfig');
  checkOneOf(affinity, ['ClientIP', 'None']);
  if (textOf(affinity) === 'None' && isSet(config)) addForbidden(config, 'must not be set when session affinity is None');
  if (textOf(affinity) !== 'ClientIP') return;
  const message = 'when session affinity type is ClientIP';
  const [client, timeout] = [at(config, 'clientIP'), at(config, 'clientIP', 'timeoutSeconds')];
  const missing = [config, client, timeout].find(place => !isSet(place));
  if (missing !== undefined) addRequired(missing, message);
  else if (numberOf(timeout) <= 0n || numberOf(timeout) > 86_400n) addInvalid(timeout, 'must be greater than 0 and less than 86400');
}

function checkPortClashes(spec: Place, type: string): void {
  const ports = itemsAt(spec, 'ports');
  if (type === 'ClusterIP')
    for (const port of ports)
      if (numberAt(port, 'nodePort') !== 0n) addForbidden(at(port, 'nodePort'), "may not be used when `type` is 'ClusterIP'");
  const nodePorts = new Set<string>();
  for (const port of ports) {
    const key = `${textAt(port, 'protocol')}/${numberAt(port, 'nodePort')}`;
    if (numberAt(port, 'nodePort') === 0n) continue;
    if (nodePorts.has(key)) addDuplicate(at(port, 'nodePort'));
    nodePorts.add(key);
  }
  const seen = new Set<string>();
  for (const port of ports) {
    const [protocol, number] = [textAt(port, 'protocol'), numberAt(port, 'port')];
    const shown = `{"Name":"","Protocol":${goString(protocol)},"AppProtocol":null,"Port":${number},"TargetPort":0,"NodePort":0}`;
    if (seen.has(shown)) addDuplicate(port, { rawJson: shown });
    seen.add(shown);
  }
}

const rangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges';

function checkSourceRanges(service: Place, type: string): void {
  const ranges: Place = { ...at(service, 'spec', 'loadBalancerSourceRanges'), path: 'spec.LoadBalancerSourceRanges' };
  const message = "may only be used when `type` is 'LoadBalancer'";
  if (lengthOf(ranges) > 0) {
    if (type !== 'LoadBalancer') addForbidden(ranges, message);
    for (const range of indexed(ranges)) checkName({ ...range, value: textOf(range).trim() }, text => cidrProblems(service.server, text));
    return;
  }
  const annotation = entryAt(at(service, 'metadata', 'annotations'), rangesAnnotation);
  if (!isSet(annotation)) return;
  if (type !== 'LoadBalancer') addForbidden(annotation, message);
  if (textOf(annotation).trim() !== '')
    for (const range of textOf(annotation).split(','))
      checkName({ ...annotation, value: range.trim() }, text => cidrProblems(service.server, text));
}

function checkTraffic(spec: Place, type: string): void {
  const isExternal = type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && lengthOf(at(spec, 'externalIPs')) > 0);
  const policy = at(spec, 'externalTrafficPolicy');
  if (isExternal) checkOneOf(policy, ['Cluster', 'Local']);
  else if (textOf(policy) !== '')
    addInvalid(policy, 'may only be set for externally-accessible services', { rawJson: goString(textOf(policy)) });
  const health = at(spec, 'healthCheckNodePort');
  if (needsHealthCheck(spec)) {
    if (numberOf(health) === 0n) addRequired(health);
    else checkPort(health);
  } else if (numberOf(health) !== 0n)
    addInvalid(health, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
  const inside = at(spec, 'internalTrafficPolicy');
  if (!isSet(inside) && ['NodePort', 'LoadBalancer', 'ClusterIP'].includes(type)) addRequired(inside);
  if (isSet(inside) && !['Cluster', 'Local'].includes(textOf(inside))) addUnsupported(inside, ['Cluster', 'Local']);
  const distribution = at(spec, 'trafficDistribution');
  const known = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
  if (isSet(distribution) && !known.includes(textOf(distribution))) addUnsupportedText(distribution, known);
}

/** Source: pkg/api/service/warnings.go. */
function serviceWarnings(service: Place): string[] {
  const spec = at(service, 'spec');
  const type = textAt(spec, 'type');
  const modes = ['service.kubernetes.io/topology-aware-hints'].filter(key => hasSet(at(service, 'metadata', 'annotations'), key));
  const external = lengthOf(at(spec, 'externalIPs')) > 0;
  const addresses = isHeadless(spec) ? [] : itemsAt(spec, 'clusterIPs');
  return [
    ...modes.map(key => `annotation ${key} is deprecated, please use service.kubernetes.io/topology-mode instead`),
    ...addresses.flatMap(addressWarnings),
    ...(textAt(spec, 'clusterIP') === 'None' && type === 'ClusterIP' ? headlessWarnings(spec) : []),
    ...itemsAt(spec, 'externalIPs').flatMap(addressWarnings),
    ...(service.server.since('v1.36') && external && !isHeadless(spec) && type !== 'ExternalName'
      ? ['spec.externalIPs is deprecated and may no longer be implemented in some clusters']
      : []),
    ...addressWarnings(at(spec, 'loadBalancerIP')),
    ...itemsAt(spec, 'loadBalancerSourceRanges').flatMap(networkWarnings),
    ...(external && type === 'ExternalName' ? ['spec.externalIPs is ignored when spec.type is "ExternalName"'] : []),
    ...(type !== 'ExternalName' && textAt(spec, 'externalName') !== ''
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
    ...(service.server.since('v1.35') && textAt(spec, 'trafficDistribution') === 'PreferClose'
      ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
      : []),
  ];
}

function headlessWarnings(spec: Place): string[] {
  const ignored = [
    ['loadBalancerIP', textAt(spec, 'loadBalancerIP') !== ''],
    ['externalIPs', lengthOf(at(spec, 'externalIPs')) > 0],
    ['SessionAffinity', textAt(spec, 'sessionAffinity') !== 'None'],
  ] as const;
  return ignored.flatMap(([name, isGiven]) => (isGiven ? [`spec.${name} is ignored for headless services`] : []));
}
