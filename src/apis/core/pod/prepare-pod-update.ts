import { countGeneration, equalIn, keepMetadata, restore } from '../../../apiserver/registry/generic/common-strategy.js';
import type { StrategyContext } from '../../../apiserver/registry/strategy.js';
import { copyOf, ensureMap, isMap, listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { defaultPodLevelResources } from './defaults/pod-template-defaults.js';

/** Restores the fields that an update may not change, which differ by subresource. Source: kubernetes pkg/registry/core/pod/strategy.go. */
export function preparePodUpdate(object: ValueMap, old: ValueMap, context: StrategyContext): void {
  if (context.subresource === 'status') {
    prepareStatus(object, old, context.server);
    return;
  }
  if (context.subresource === 'ephemeralcontainers') keepAllButEphemeral(object, old);
  if (context.subresource === 'resize') keepAllButResources(object, old);
  if (context.server.isEnabled('PodLevelResourcesFixDefaulting')) keepPodLevelResources(object, old, context);
  if (context.subresource === '') restore(object, old, 'status');
  if (!equalIn(context.server, context.resource, 'spec', object, old)) countGeneration(object, old);
}

/** Keeps pod-level resources that the client does not know; a resize sets those that its amounts imply. */
function keepPodLevelResources(object: ValueMap, old: ValueMap, { subresource, server }: StrategyContext): void {
  const spec = ensureMap(object, 'spec');
  if (subresource !== 'ephemeralcontainers' && !isMap(spec.get('resources'))) restore(spec, mapAt(old, 'spec') ?? new Map(), 'resources');
  if (subresource === 'resize') defaultPodLevelResources(server, spec);
}

function prepareStatus(object: ValueMap, old: ValueMap, server: ApiServer): void {
  restore(object, old, 'spec');
  const metadata = ensureMap(object, 'metadata');
  const before = mapAt(old, 'metadata') ?? new Map();
  metadata.delete('deletionTimestamp');
  restore(metadata, before, 'ownerReferences');
  const status = ensureMap(object, 'status');
  const stored = mapAt(old, 'status') ?? new Map();
  if (stringAt(status, 'qosClass') === '') restore(status, stored, 'qosClass');
  keepObservedGenerations(status, stored);
  if (!server.since('v1.37')) return;
  for (const name of ['resourceClaimStatuses', 'extendedResourceClaimStatus', 'nodeAllocatableResourceClaimStatuses'])
    if ((status.get(name) ?? null) === null) restore(status, stored, name);
}

/** Keeps the field when the client does not know it. */
function keepObservedGenerations(status: ValueMap, stored: ValueMap): void {
  if (isZero(status.get('observedGeneration'))) restore(status, stored, 'observedGeneration');
  const left = [...listAt(stored, 'conditions')];
  for (const condition of listAt(status, 'conditions').filter(isMap)) {
    const at = left.findIndex(other => stringAt(other, 'type') === stringAt(condition, 'type'));
    const [before] = at < 0 ? [] : left.splice(at, 1);
    if (isZero(condition.get('observedGeneration'))) restore(condition, isMap(before) ? before : new Map(), 'observedGeneration');
  }
}

function isZero(value: Value | undefined): boolean {
  return value === undefined || value === 0n;
}

function keepAllButEphemeral(object: ValueMap, old: ValueMap): void {
  const ephemeral = valueAt(object, 'spec', 'ephemeralContainers');
  keepObject(object, old);
  const spec = ensureMap(object, 'spec');
  if (ephemeral === undefined) spec.delete('ephemeralContainers');
  else spec.set('ephemeralContainers', ephemeral);
}

/** Keeps everything except resources; different containers are left for validation to refuse. */
function keepAllButResources(object: ValueMap, old: ValueMap): void {
  const lists = ['containers', 'initContainers'] as const;
  if (lists.some(list => listAt(object, 'spec', list).length !== listAt(old, 'spec', list).length)) return;
  const resources = valueAt(object, 'spec', 'resources');
  const merged = lists.map(list => [list, withResources(listAt(old, 'spec', list), listAt(object, 'spec', list))] as const);
  keepObject(object, old);
  const spec = ensureMap(object, 'spec');
  if (resources === undefined) spec.delete('resources');
  else spec.set('resources', resources);
  for (const [list, containers] of merged) if (containers.length > 0) spec.set(list, containers);
}

function withResources(stored: readonly Value[], sent: Value[]): Value[] {
  const sameNames = sent.every((container, i) => stringAt(container, 'name') === stringAt(stored[i], 'name'));
  if (!sameNames) return sent;
  return stored.map((container, i) => {
    const merged = copyOf(container);
    const from = sent[i];
    if (isMap(merged) && isMap(from)) for (const key of ['resources', 'resizePolicy']) restore(merged, from, key);
    return merged;
  });
}

/** Keeps the stored object except managed fields. */
function keepObject(object: ValueMap, old: ValueMap): void {
  restore(object, old, 'spec');
  restore(object, old, 'status');
  keepMetadata(object, old);
}
