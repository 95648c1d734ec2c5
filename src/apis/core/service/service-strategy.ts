import type { Refinement, StrategyContext } from '../../../apiserver/registry/strategy.js';
import { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { readUnstructured } from '../../../encoding/unstructured.js';
import { writeValue } from '../../../go/json/write.js';
import {
  copyOf,
  ensureMap,
  isMap,
  isRawJson,
  listAt,
  mapAt,
  numberAt,
  stringAt,
  type Value,
  type ValueMap,
  valueAt,
} from '../../../go/value.js';
import { type FieldError, invalidValue, printFieldErrors, required } from '../../../kubernetes/field-error.js';
import { pathSegmentProblems } from '../../../kubernetes/name-rules.js';
import { invalid } from '../../../kubernetes/status-errors.js';
import { firstServiceIp, freeServiceIp, serviceIpProblem } from './service-addresses.js';
import { checkClusterIps } from './service-cluster-ips.js';

import { chooseFamilies } from './service-ip-families.js';
import { allocateNodePorts, needsHealthCheckPort, updateNodePorts, usesNodePorts } from './service-node-ports.js';

/**
 * Strategy of services: addresses and ports are allocated first, also in dry runs. Source: kubernetes pkg/registry/core/service/storage.
 */
export const service: Refinement = base => ({
  ...base,
  beginCreate: (object, context) => {
    allocateAddresses(object, undefined, context);
    allocateNodePorts(object, context);
  },
  beginUpdate: (object, old, context) => {
    if (context.subresource !== '') return;
    const spec = ensureMap(object, 'spec');
    keepAllocated(spec, mapAt(old, 'spec') ?? new Map());
    allocateAddresses(object, old, context);
    updateNodePorts(object, old, context);
  },
  prepareForUpdate: (object, old, context) => {
    base.prepareForUpdate(object, old, context);
    if (context.subresource !== '') return;
    dropUnused(ensureMap(object, 'spec'), mapAt(old, 'spec') ?? new Map());
    if (stringAt(object, 'spec', 'type') !== 'LoadBalancer') mapAt(object, 'status')?.set('loadBalancer', new Map());
  },
  // The storage of the status has no decorator.
  decorate: (object, subresource) => {
    if (subresource === '' && isExternalName(object)) mapAt(object, 'spec')?.delete('internalTrafficPolicy');
  },
  restoreHidden: object => {
    const spec = mapAt(object, 'spec');
    if (spec === undefined || !isExternalName(object) || spec.has('internalTrafficPolicy')) return;
    // Which policy is stored is unknown: the default is more likely than `Local`.
    if (listAt(object, 'metadata', 'managedFields').some(ownsInternalPolicy)) spec.set('internalTrafficPolicy', 'Cluster');
  },
});

function ownsInternalPolicy(entry: Value): boolean {
  const fields = valueAt(entry, 'fieldsV1');
  return isRawJson(fields) && isMap(valueAt(readUnstructured(fields.rawJson), 'f:spec', 'f:internalTrafficPolicy'));
}

function isExternalName(object: ValueMap): boolean {
  return stringAt(object, 'spec', 'type') === 'ExternalName';
}

/** Clients may change only `clusterIP`. Source: kubernetes pkg/registry/core/service/storage/alloc.go normalizeClusterIPs. */
function followClusterIp(spec: ValueMap, before: ValueMap | undefined): void {
  const own = stringAt(spec, 'clusterIP');
  const isChangedAlone = before !== undefined && own !== stringAt(before, 'clusterIP') && isUnchanged(spec, before, 'clusterIPs');
  if (isChangedAlone && own === '') spec.delete('clusterIPs');
  else if (own !== '' && (isChangedAlone || listAt(spec, 'clusterIPs').length === 0)) spec.set('clusterIPs', [own]);
}

/** Sets the families, then allocates an address of the first one. Throws a 422. */
function allocateAddresses(object: ValueMap, old: ValueMap | undefined, context: StrategyContext): void {
  const spec = ensureMap(object, 'spec');
  followClusterIp(spec, mapAt(old, 'spec'));
  if (stringAt(spec, 'type') === 'ExternalName') return;
  const field = FieldPath.root(context.server, spec, 'spec');
  checkClusterIps(field);
  const errors = field.errors.length > 0 ? field.errors : chooseFamilies(spec, mapAt(old, 'spec'));
  if (errors.length === 0) errors.push(...allocateAddress(object, old, context));
  if (errors.length > 0) throw invalid(context.resource.kind, stringAt(object, 'metadata', 'name'), errors);
}

function allocateAddress(object: ValueMap, old: ValueMap | undefined, context: StrategyContext): FieldError[] {
  const spec = ensureMap(object, 'spec');
  const given = stringAt(spec, 'clusterIP');
  if (given === 'None') {
    spec.set('clusterIPs', ['None']);
    return [];
  }
  // Changes of the address are rejected by validation.
  if (given !== '' && (given === stringAt(old, 'spec', 'clusterIP') || stringAt(old, 'spec', 'clusterIP') !== '')) return [];
  if (given !== '') {
    const problem = serviceIpProblem(given, context) ?? referenceProblem(given, object, context);
    const addresses = { rawJson: writeValue(listAt(spec, 'clusterIPs'), 'kept') };
    return problem === undefined ? [] : [invalidValue('spec.clusterIPs', addresses, `failed to allocate IP ${given}: ${problem}`)];
  }
  const address = context.dryRun ? firstServiceIp(context.storage) : freeServiceIp(context);
  if (address === undefined) return [invalidValue('spec.clusterIPs', { rawJson: '[""]' }, 'failed to allocate IP: range is full')];
  const problem = referenceProblem(address, object, context);
  if (problem !== undefined) return [invalidValue('spec.clusterIPs', { rawJson: '[""]' }, `failed to allocate IP: ${problem}`)];
  spec.set('clusterIP', address);
  spec.set('clusterIPs', [address]);
  return [];
}

/** Returns the reason why an address, a separate object that refers to its service, cannot be created; a dry run creates none. */
function referenceProblem(address: string, service: ValueMap, { dryRun }: StrategyContext): string | undefined {
  const name = stringAt(service, 'metadata', 'name');
  const field = 'spec.parentRef.name';
  const errors = name === '' ? [required(field, '')] : pathSegmentProblems(name).map(problem => invalidValue(field, name, problem));
  if (dryRun || errors.length === 0) return undefined;
  return `IPAddress.networking.k8s.io "${address}" is invalid: ${printFieldErrors(errors)}`;
}

/** Keeps allocated values that the new object does not set. Source: patchAllocatedValues. */
function keepAllocated(spec: ValueMap, before: ValueMap): void {
  if (stringAt(spec, 'type') !== 'ExternalName' && stringAt(before, 'type') !== 'ExternalName') {
    if (stringAt(spec, 'clusterIP') === '') keep(spec, before, 'clusterIP');
    if (listAt(spec, 'clusterIPs').length === 0 && stringAt(spec, 'clusterIP') === stringAt(before, 'clusterIP'))
      keep(spec, before, 'clusterIPs');
  }
  if (usesNodePorts(spec) && usesNodePorts(before)) keepNodePorts(spec, before);
  if (needsHealthCheckPort(spec) && needsHealthCheckPort(before) && numberAt(spec, 'healthCheckNodePort') === 0n)
    keep(spec, before, 'healthCheckNodePort');
}

/** Keeps node ports by port name, except for numbers that the new object already uses. */
function keepNodePorts(spec: ValueMap, before: ValueMap): void {
  const used = new Set(listAt(spec, 'ports').map(port => numberAt(port, 'nodePort')));
  for (const port of listAt(spec, 'ports')) {
    if (!isMap(port) || numberAt(port, 'nodePort') !== 0n) continue;
    const stored = listAt(before, 'ports').findLast(p => stringAt(p, 'name') === stringAt(port, 'name'));
    const nodePort = numberAt(stored, 'nodePort');
    if (nodePort !== 0n && !used.has(nodePort)) port.set('nodePort', nodePort);
  }
}

/** Removes unchanged fields of a former type. Source: dropTypeDependentFields. */
function dropUnused(spec: ValueMap, before: ValueMap): void {
  const [type, old] = [stringAt(spec, 'type'), stringAt(before, 'type')];
  if (type === 'ExternalName' && old !== 'ExternalName') {
    if (isUnchanged(spec, before, 'clusterIP') && isUnchanged(spec, before, 'clusterIPs'))
      for (const key of ['clusterIP', 'clusterIPs']) spec.delete(key);
    for (const key of ['ipFamilies', 'ipFamilyPolicy']) dropUnchanged(spec, before, key);
  }
  if (usesNodePorts(before) && !usesNodePorts(spec)) dropKnownNodePorts(spec, before);
  if (needsHealthCheckPort(before) && !needsHealthCheckPort(spec)) dropUnchanged(spec, before, 'healthCheckNodePort');
  if (old === 'LoadBalancer' && type !== 'LoadBalancer')
    for (const key of ['allocateLoadBalancerNodePorts', 'loadBalancerClass']) dropUnchanged(spec, before, key);
  if (isReachedFromOutside(before) && !isReachedFromOutside(spec)) dropUnchanged(spec, before, 'externalTrafficPolicy');
}

/** Removes node ports if all of them are known: a new number was requested by the client and is validated. */
function dropKnownNodePorts(spec: ValueMap, before: ValueMap): void {
  const known = new Set([0n, ...listAt(before, 'ports').map(port => numberAt(port, 'nodePort'))]);
  const ports = listAt(spec, 'ports').filter(isMap);
  if (ports.every(port => known.has(numberAt(port, 'nodePort')))) for (const port of ports) port.delete('nodePort');
}

function isReachedFromOutside(spec: ValueMap): boolean {
  return usesNodePorts(spec) || (stringAt(spec, 'type') === 'ClusterIP' && listAt(spec, 'externalIPs').length > 0);
}

function dropUnchanged(spec: ValueMap, before: ValueMap, key: string): void {
  if (isUnchanged(spec, before, key)) spec.delete(key);
}

function isUnchanged(spec: ValueMap, before: ValueMap, key: string): boolean {
  return writeValue(spec.get(key) ?? null, 'sorted') === writeValue(before.get(key) ?? null, 'sorted');
}

function keep(spec: ValueMap, before: ValueMap, key: string): void {
  const stored = before.get(key);
  if (stored !== undefined) spec.set(key, copyOf(stored));
}
