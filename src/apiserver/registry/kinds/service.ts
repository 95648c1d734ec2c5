import { writeValue } from '../../../encoding/go-json.js';
import { type FieldError, invalidValue } from '../../../kubernetes/field-error.js';
import { invalid } from '../../../kubernetes/status-errors.js';
import { copyOf, ensureMap, isMap, listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../../kubernetes/value.js';
import type { Refinement, StrategyContext } from '../strategy.js';
import { checkClusterIps } from '../validation/kinds/service-cluster-ips.js';
import { placeOf } from '../validation/place.js';
import { allocateNodePorts, randomServiceIp, serviceIpProblem } from './service-addresses.js';

/** Addresses and ports are given before the strategy's own work, for dry runs too. Source: kubernetes pkg/registry/core/service/storage. */
export const service: Refinement = base => ({
  ...base,
  beginCreate: (object, context) => {
    const errors = allocate(ensureMap(object, 'spec'), context);
    if (errors.length > 0) throw invalid(context.resource.kind, stringAt(object, 'metadata', 'name'), errors);
  },
  beginUpdate: (object, old, context) => {
    if (context.subresource !== '') return;
    const spec = ensureMap(object, 'spec');
    const before = mapAt(old, 'spec') ?? new Map<string, Value>();
    keepAllocated(spec, before);
    dropUnused(spec, before);
    const errors = allocate(spec, context);
    if (errors.length > 0) throw invalid(context.resource.kind, stringAt(object, 'metadata', 'name'), errors);
  },
});

function allocate(spec: ValueMap, context: StrategyContext): FieldError[] {
  const type = stringAt(spec, 'type') || 'ClusterIP';
  if (listAt(spec, 'clusterIPs').length === 0 && stringAt(spec, 'clusterIP') !== '') spec.set('clusterIPs', [stringAt(spec, 'clusterIP')]);
  if (type === 'ExternalName') return [];
  const place = placeOf(spec, 'spec');
  checkClusterIps(place);
  if (place.errors.length > 0) return place.errors;
  const familyError = chooseFamilies(spec);
  if (familyError !== undefined) return [familyError];
  const addressError = allocateAddress(spec, context);
  if (addressError !== undefined) return [addressError];
  const wantsPorts = type === 'NodePort' || (type === 'LoadBalancer' && spec.get('allocateLoadBalancerNodePorts') !== false);
  return wantsPorts ? allocateNodePorts(spec, context) : [];
}

/** One family, unless the service asks for two: this cluster has one only. */
function chooseFamilies(spec: ValueMap): FieldError | undefined {
  const headless = stringAt(spec, 'clusterIP') === 'None';
  const selectorless = headless && mapAt(spec, 'selector') === undefined;
  const policy = stringAt(spec, 'ipFamilyPolicy') || (selectorless ? 'RequireDualStack' : 'SingleStack');
  if (policy === 'RequireDualStack' && !selectorless) {
    return invalidValue('spec.ipFamilyPolicy', 'RequireDualStack', 'this cluster is not configured for dual-stack services');
  }
  spec.set('ipFamilyPolicy', policy);
  const families = listAt(spec, 'ipFamilies');
  const first = families[0] ?? (stringAt(spec, 'clusterIP').includes(':') ? 'IPv6' : 'IPv4');
  const both = selectorless && policy !== 'SingleStack';
  if (both && families.length < 2) spec.set('ipFamilies', [first, first === 'IPv4' ? 'IPv6' : 'IPv4']);
  else if (families.length === 0) spec.set('ipFamilies', [first]);
  return undefined;
}

function allocateAddress(spec: ValueMap, context: StrategyContext): FieldError | undefined {
  const given = stringAt(spec, 'clusterIP');
  if (given === 'None') {
    spec.set('clusterIPs', ['None']);
    return undefined;
  }
  if (given !== '') {
    const problem = serviceIpProblem(given, context.dryRun);
    return problem === undefined
      ? undefined
      : invalidValue('spec.clusterIPs', { rawJson: writeValue(listAt(spec, 'clusterIPs'), 'kept') }, problem);
  }
  const address = context.dryRun ? '10.0.0.0' : randomServiceIp(context.effects);
  spec.set('clusterIP', address);
  spec.set('clusterIPs', [address]);
  return undefined;
}

/** What the server gave before stays, when the new object does not name it. Source: patchAllocatedValues. */
function keepAllocated(spec: ValueMap, before: ValueMap): void {
  const type = stringAt(spec, 'type');
  if (type !== 'ExternalName' && stringAt(before, 'type') !== 'ExternalName') {
    if (stringAt(spec, 'clusterIP') === '') keep(spec, before, 'clusterIP');
    if (listAt(spec, 'clusterIPs').length === 0 && stringAt(spec, 'clusterIP') === stringAt(before, 'clusterIP'))
      keep(spec, before, 'clusterIPs');
    for (const key of ['ipFamilies', 'ipFamilyPolicy']) if (spec.get(key) === undefined) keep(spec, before, key);
  }
  if (usesNodePorts(type) && usesNodePorts(stringAt(before, 'type'))) {
    for (const port of listAt(spec, 'ports')) {
      if (!isMap(port) || valueAt(port, 'nodePort') !== undefined) continue;
      const old = listAt(before, 'ports').find(p => stringAt(p, 'name') === stringAt(port, 'name'));
      const nodePort = valueAt(old, 'nodePort');
      if (nodePort !== undefined) port.set('nodePort', nodePort);
    }
  }
  if (needsHealthCheck(spec) && needsHealthCheck(before) && spec.get('healthCheckNodePort') === undefined)
    keep(spec, before, 'healthCheckNodePort');
}

/** What a former type left behind and the client did not touch goes. Source: dropTypeDependentFields. */
function dropUnused(spec: ValueMap, before: ValueMap): void {
  const type = stringAt(spec, 'type');
  const old = stringAt(before, 'type');
  if (type === old) return;
  if (type === 'ExternalName')
    for (const key of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) dropUnchanged(spec, before, key);
  if (usesNodePorts(old) && !usesNodePorts(type)) dropUnchangedNodePorts(spec, before);
  if (needsHealthCheck(before) && !needsHealthCheck(spec)) dropUnchanged(spec, before, 'healthCheckNodePort');
  if (old === 'LoadBalancer') for (const key of ['allocateLoadBalancerNodePorts', 'loadBalancerClass']) dropUnchanged(spec, before, key);
  if (usesNodePorts(old) && !usesNodePorts(type)) dropUnchanged(spec, before, 'externalTrafficPolicy');
}

function dropUnchangedNodePorts(spec: ValueMap, before: ValueMap): void {
  const known = new Set(listAt(before, 'ports').map(p => valueAt(p, 'nodePort')));
  for (const port of listAt(spec, 'ports')) if (isMap(port) && known.has(valueAt(port, 'nodePort'))) port.delete('nodePort');
}

function dropUnchanged(spec: ValueMap, before: ValueMap, key: string): void {
  const [own, stored] = [spec.get(key), before.get(key)];
  if (own !== undefined && stored !== undefined && writeValue(own, 'sorted') === writeValue(stored, 'sorted')) spec.delete(key);
}

function keep(spec: ValueMap, before: ValueMap, key: string): void {
  const stored = before.get(key);
  if (stored !== undefined) spec.set(key, copyOf(stored));
}

function usesNodePorts(type: string): boolean {
  return type === 'NodePort' || type === 'LoadBalancer';
}

function needsHealthCheck(spec: ValueMap): boolean {
  return stringAt(spec, 'type') === 'LoadBalancer' && stringAt(spec, 'externalTrafficPolicy') === 'Local';
}
