import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
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
function checkTopology(annotations: FieldPath): void {
  const [old, now] = [annotations.key(hints), annotations.key(mode)];
  if (old.isSet() && now.isSet() && old.text() !== now.text()) now.invalid(`must match annotations[${hints}] when both are specified`);
}

function checkService(service: FieldPath): void {
  const spec = service.child('spec');
  checkTopology(service.child('metadata', 'annotations'));
  const type = spec.text('type');
  if (spec.child('ports').length() === 0 && !isHeadless(spec) && type !== 'ExternalName') spec.child('ports').required();
  checkType(spec, type);
  checkPorts(spec);
  checkLabels(spec.child('selector'));
  checkAffinity(spec);
  checkClusterIps(spec);
  for (const ip of spec.items('externalIPs')) {
    const before = ip.errors.length;
    checkName(ip, text => ipProblems(service.server, text));
    if (ip.errors.length === before) checkEndpointIp(ip);
  }
  checkOneOf(spec.child('type'), ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']);
  checkPortClashes(spec, type);
  checkSourceRanges(service, type);
  const allocates = spec.child('allocateLoadBalancerNodePorts');
  if (allocates.isSet() && type !== 'LoadBalancer') allocates.forbidden("may only be used when `type` is 'LoadBalancer'");
  if (!allocates.isSet() && type === 'LoadBalancer') allocates.shownAt('allocateLoadBalancerNodePorts').required();
  checkBalancerClass(spec);
  checkTraffic(spec, type);
}

function checkType(spec: FieldPath, type: string): void {
  const first = spec
    .child('clusterIPs')
    .shownAt(`${spec.child('clusterIPs').path}[0]`)
    .withValue('None');
  if ((type === 'LoadBalancer' || type === 'NodePort') && isHeadless(spec)) first.invalid(`may not be set to 'None' for ${type} services`);
  if (type !== 'ExternalName') return;
  const message = 'may not be set for ExternalName services';
  for (const name of ['clusterIPs', 'ipFamilies']) if (spec.child(name).length() > 0) spec.child(name).forbidden(message);
  if (spec.has('ipFamilyPolicy')) spec.child('ipFamilyPolicy').forbidden(message);
  const name = spec.child('externalName');
  const domain = name.text().replace(/\.$/, '');
  if (domain === '') name.required();
  else checkName(name.withValue(domain), dns1123SubdomainProblems);
}

function checkPorts(spec: FieldPath): void {
  const ports = spec.items('ports');
  const names = new Set<string>();
  for (const port of ports) {
    const name = port.child('name');
    if (name.text() !== '') {
      checkName(name, dns1123LabelProblems);
      if (names.has(name.text())) name.duplicate();
      names.add(name.text());
    } else if (ports.length > 1) name.required();
    checkPort(port.child('port'));
    checkOneOf(port.child('protocol'), ['SCTP', 'TCP', 'UDP']);
    checkPortOrName(port.child('targetPort'));
    if (port.has('appProtocol')) checkName(port.child('appProtocol'), text => labelKeyProblems(spec.server, text));
  }
}

function checkAffinity(spec: FieldPath): void {
  const affinity = spec.child('sessionAffinity');
  const config = spec.child('sessionAffinityConfig');
  checkOneOf(affinity, ['ClientIP', 'None']);
  if (affinity.text() === 'None' && config.isSet()) config.forbidden('must not be set when session affinity is None');
  if (affinity.text() !== 'ClientIP') return;
  const message = 'when session affinity type is ClientIP';
  const [client, timeout] = [config.child('clientIP'), config.child('clientIP', 'timeoutSeconds')];
  const missing = [config, client, timeout].find(field => !field.isSet());
  if (missing !== undefined) missing.required(message);
  else if (timeout.number() <= 0n || timeout.number() > 86_400n) timeout.invalid('must be greater than 0 and less than 86400');
}

function checkPortClashes(spec: FieldPath, type: string): void {
  const ports = spec.items('ports');
  if (type === 'ClusterIP')
    for (const port of ports)
      if (port.number('nodePort') !== 0n) port.child('nodePort').forbidden("may not be used when `type` is 'ClusterIP'");
  const nodePorts = new Set<string>();
  for (const port of ports) {
    const key = `${port.text('protocol')}/${port.number('nodePort')}`;
    if (port.number('nodePort') === 0n) continue;
    if (nodePorts.has(key)) port.child('nodePort').duplicate();
    nodePorts.add(key);
  }
  const seen = new Set<string>();
  for (const port of ports) {
    const [protocol, number] = [port.text('protocol'), port.number('port')];
    const shown = `{"Name":"","Protocol":${goString(protocol)},"AppProtocol":null,"Port":${number},"TargetPort":0,"NodePort":0}`;
    if (seen.has(shown)) port.duplicate({ rawJson: shown });
    seen.add(shown);
  }
}

const rangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges';

function checkSourceRanges(service: FieldPath, type: string): void {
  const ranges = service.child('spec', 'loadBalancerSourceRanges').shownAt('spec.LoadBalancerSourceRanges');
  const message = "may only be used when `type` is 'LoadBalancer'";
  if (ranges.length() > 0) {
    if (type !== 'LoadBalancer') ranges.forbidden(message);
    for (const range of ranges.items()) checkName(range.withValue(range.text().trim()), text => cidrProblems(service.server, text));
    return;
  }
  const annotation = service.child('metadata', 'annotations').key(rangesAnnotation);
  if (!annotation.isSet()) return;
  if (type !== 'LoadBalancer') annotation.forbidden(message);
  if (annotation.text().trim() !== '')
    for (const range of annotation.text().split(','))
      checkName(annotation.withValue(range.trim()), text => cidrProblems(service.server, text));
}

function checkTraffic(spec: FieldPath, type: string): void {
  const isExternal = type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && spec.child('externalIPs').length() > 0);
  const policy = spec.child('externalTrafficPolicy');
  if (isExternal) checkOneOf(policy, ['Cluster', 'Local']);
  else if (policy.text() !== '') policy.invalid({ rawJson: goString(policy.text()) }, 'may only be set for externally-accessible services');
  const health = spec.child('healthCheckNodePort');
  if (needsHealthCheck(spec)) {
    if (health.number() === 0n) health.required();
    else checkPort(health);
  } else if (health.number() !== 0n) health.invalid("may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
  const inside = spec.child('internalTrafficPolicy');
  if (!inside.isSet() && ['NodePort', 'LoadBalancer', 'ClusterIP'].includes(type)) inside.required();
  if (inside.isSet() && !['Cluster', 'Local'].includes(inside.text())) inside.notSupported(['Cluster', 'Local']);
  const distribution = spec.child('trafficDistribution');
  const known = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
  if (distribution.isSet() && !known.includes(distribution.text())) distribution.notSupportedText(known);
}

/** Source: pkg/api/service/warnings.go. */
function serviceWarnings(service: FieldPath): string[] {
  const spec = service.child('spec');
  const type = spec.text('type');
  const modes = ['service.kubernetes.io/topology-aware-hints'].filter(key => service.child('metadata', 'annotations').has(key));
  const external = spec.child('externalIPs').length() > 0;
  const addresses = isHeadless(spec) ? [] : spec.items('clusterIPs');
  return [
    ...modes.map(key => `annotation ${key} is deprecated, please use service.kubernetes.io/topology-mode instead`),
    ...addresses.flatMap(addressWarnings),
    ...(spec.text('clusterIP') === 'None' && type === 'ClusterIP' ? headlessWarnings(spec) : []),
    ...spec.items('externalIPs').flatMap(addressWarnings),
    ...(service.server.since('v1.36') && external && !isHeadless(spec) && type !== 'ExternalName'
      ? ['spec.externalIPs is deprecated and may no longer be implemented in some clusters']
      : []),
    ...addressWarnings(spec.child('loadBalancerIP')),
    ...spec.items('loadBalancerSourceRanges').flatMap(networkWarnings),
    ...(external && type === 'ExternalName' ? ['spec.externalIPs is ignored when spec.type is "ExternalName"'] : []),
    ...(type !== 'ExternalName' && spec.text('externalName') !== ''
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
    ...(service.server.since('v1.35') && spec.text('trafficDistribution') === 'PreferClose'
      ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
      : []),
  ];
}

function headlessWarnings(spec: FieldPath): string[] {
  const ignored = [
    ['loadBalancerIP', spec.text('loadBalancerIP') !== ''],
    ['externalIPs', spec.child('externalIPs').length() > 0],
    ['SessionAffinity', spec.text('sessionAffinity') !== 'None'],
  ] as const;
  return ignored.flatMap(([name, isGiven]) => (isGiven ? [`spec.${name} is ignored for headless services`] : []));
}
