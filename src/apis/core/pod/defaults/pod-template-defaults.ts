import { type DefaultRules, isAbsent, setDefault } from '../../../../apiserver/objects/default-rules.js';
import { ensureMap, isMap, listAt, mapAt, type Value, type ValueMap } from '../../../../go/value.js';
import type { ApiServer } from '../../../../kubernetes/api-server.js';
import { addQuantities, compareQuantities, quantityText } from '../../../../kubernetes/quantity.js';
import { alignAddresses } from '../../core-conversions.js';

/** Defaults of a Pod, in this order; not of pod templates. Source: kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Pod. */
export const podDefaults: DefaultRules = {
  'core/v1.Pod': (pod, _now, server) => {
    const spec = ensureMap(pod, 'spec');
    const seconds = spec.get('terminationGracePeriodSeconds');
    if (typeof seconds === 'bigint' && seconds < 0n && server.since('v1.37')) spec.set('terminationGracePeriodSeconds', 1n);
    for (const container of containersOf(spec)) requestWhatIsLimited(container);
    const resources = spec.get('resources');
    // Since the gate is enabled the strategy does it, when it knows the containers that webhooks add.
    if (isMap(resources) && !server.isEnabled('PodLevelResourcesFixDefaulting')) {
      limitHugePages(spec, resources);
      requestForPod(spec, resources, true);
    }
    setDefault(spec, 'enableServiceLinks', true);
    if (spec.get('hostNetwork') === true) for (const container of containersOf(spec)) openHostPorts(container);
    if (server.isEnabled('H2CContainerProbe')) for (const container of allContainersOf(spec)) setProtocols(container);
  },
  'core/v1.PodStatus': (status, _now, server) => {
    if (server.since('v1.37')) alignAddresses(status);
  },
};

/** Sets the resources of a pod that its containers' imply. Source: kubernetes pkg/api/pod/util.go DefaultPodLevelResources. */
export function defaultPodLevelResources(server: ApiServer, spec: ValueMap): void {
  const resources = spec.get('resources');
  if (!isMap(resources) || !server.isEnabled('PodLevelResources') || !server.isEnabled('PodLevelResourcesFixDefaulting')) return;
  const count = (name: string): number => mapAt(resources, name)?.size ?? 0;
  if (count('requests') === 0 && count('limits') === 0) return;
  limitHugePages(spec, resources);
  requestForPod(spec, resources, false);
  limitPod(spec, resources);
}

/** Limits a pod to what all its containers are limited to, but not below its requests. Source: defaultPodLevelLimits. */
function limitPod(spec: ValueMap, resources: ValueMap): void {
  const requests = mapAt(resources, 'requests') ?? new Map();
  const limits = mapAt(resources, 'limits') ?? new Map();
  const together = aggregate(spec, 'limits');
  for (const [name, request] of requests) {
    const isLimited = allContainersOf(spec).every(container => mapAt(container, 'resources', 'limits')?.has(name) === true);
    const limit = together.get(name);
    if (!isPodLevel(name) || limits.has(name) || !isLimited || typeof limit !== 'string' || typeof request !== 'string') continue;
    limits.set(name, compareQuantities(request, limit) > 0 ? request : limit);
  }
  if (limits.size > 0) resources.set('limits', limits);
}

/** Source: defaultHTTPProbeProtocol. */
function setProtocols(container: ValueMap): void {
  const handlers = [
    ...['livenessProbe', 'readinessProbe', 'startupProbe'].map(probe => mapAt(container, probe, 'httpGet')),
    ...['postStart', 'preStop'].map(hook => mapAt(container, 'lifecycle', hook, 'httpGet')),
  ];
  for (const handler of handlers) if (handler !== undefined) setDefault(handler, 'protocol', 'HTTP1');
}

type ResourceList = Map<string, Value>;

function allContainersOf(spec: ValueMap): ValueMap[] {
  return [...containersOf(spec), ...listAt(spec, 'ephemeralContainers').filter(isMap)];
}

function containersOf(spec: ValueMap): ValueMap[] {
  return [...listAt(spec, 'containers'), ...listAt(spec, 'initContainers')].filter(isMap);
}

function requestWhatIsLimited(container: ValueMap): void {
  const limits = mapAt(container, 'resources', 'limits');
  if (limits !== undefined) addMissing(ensureMap(ensureMap(container, 'resources'), 'requests'), limits);
}

function addMissing(list: ResourceList, from: ResourceList): void {
  for (const [name, quantity] of from) setDefault(list, name, quantity);
}

function openHostPorts(container: ValueMap): void {
  for (const port of listAt(container, 'ports').filter(isMap)) {
    const number = port.get('containerPort');
    if (isAbsent(port, 'hostPort') && number !== undefined) port.set('hostPort', number);
  }
}

/** Limits huge pages of the pod to those of its containers, when the pod neither limits nor requests them. */
function limitHugePages(spec: ValueMap, resources: ValueMap): void {
  const limits = mapAt(resources, 'limits') ?? new Map();
  const requests = mapAt(resources, 'requests') ?? new Map();
  if (limits.size === 0 && requests.size === 0) return;
  for (const [name, quantity] of aggregate(spec, 'limits')) {
    if (isHugePages(name) && !requests.has(name)) setDefault(limits, name, quantity);
  }
  if (limits.size > 0) resources.set('limits', limits);
}

/** Sets requests of a pod, with `needsLimits` of one with limits: the sum of its containers' for resources that may be overcommitted, else its limits. */
function requestForPod(spec: ValueMap, resources: ValueMap, needsLimits: boolean): void {
  const limits = mapAt(resources, 'limits') ?? new Map();
  if (needsLimits && limits.size === 0) return;
  const requests = mapAt(resources, 'requests') ?? new Map();
  for (const [name, quantity] of aggregate(spec, 'requests'))
    if (isPodLevel(name) && !isHugePages(name)) setDefault(requests, name, quantity);
  for (const [name, quantity] of limits) if (isPodLevel(name)) setDefault(requests, name, quantity);
  if (requests.size > 0) resources.set('requests', requests);
}

function isPodLevel(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name);
}

function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

/**
 * Returns the resources that the containers need together: the sum of those that run concurrently, or more when an init container needs
 * more together with the restartable ones started before it. Source: component-helpers resource AggregateContainerRequests.
 */
function aggregate(spec: ValueMap, which: 'limits' | 'requests'): ResourceList {
  const total: ResourceList = new Map();
  for (const container of listAt(spec, 'containers')) addAll(total, mapAt(container, 'resources', which));
  const restartable: ResourceList = new Map();
  const initial: ResourceList = new Map();
  for (const container of listAt(spec, 'initContainers').filter(isMap)) {
    const own = mapAt(container, 'resources', which);
    if (container.get('restartPolicy') === 'Always') {
      addAll(total, own);
      addAll(restartable, own);
      raiseTo(initial, restartable);
    } else {
      const together: ResourceList = new Map(own);
      addAll(together, restartable);
      raiseTo(initial, together);
    }
  }
  raiseTo(total, initial);
  return total;
}

function addAll(list: ResourceList, more: ResourceList | undefined): void {
  for (const [name, quantity] of more ?? []) list.set(name, sum(list.get(name), quantity));
}

function sum(a: Value | undefined, b: Value): Value {
  return typeof a === 'string' && typeof b === 'string' ? quantityText(addQuantities(a, b)) : b;
}

function raiseTo(list: ResourceList, other: ResourceList): void {
  for (const [name, quantity] of other) {
    const known = list.get(name);
    if (typeof known !== 'string' || typeof quantity !== 'string' || compareQuantities(quantity, known) > 0) list.set(name, quantity);
  }
}
