import type { Attributes } from '../apiserver/admission/attributes.js';
import type { AdmissionContext, AdmissionPlugin } from '../apiserver/admission/chain.js';
import { admissionRefusal, aggregate } from '../apiserver/admission/name-in-refusal.js';
import { ensureMap, isMap, listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../go/value.js';
import { claimLimitErrors, podLimitErrors } from './limit-constraints.js';
import { listedObjects } from './objects/listed-objects.js';

/**
 * LimitRanger: sets default requests and limits of containers, and enforces bounds for pods and claims. Source: kubernetes
 * plugin/pkg/admission/limitranger.
 */
export const limitRanger: AdmissionPlugin = {
  name: 'LimitRanger',
  operations: ['CREATE', 'UPDATE'],
  admit: (attributes, context) => {
    const { object, resource } = attributes;
    if (!isLimited(attributes) || object === undefined || resource.resource !== 'pods') return;
    for (const range of rangesOf(attributes, context)) giveDefaults(object.value, range);
  },
  validate: (attributes, context) => {
    const { object, oldObject, resource } = attributes;
    if (!isLimited(attributes) || object === undefined) return;
    for (const range of rangesOf(attributes, context)) {
      const limits = listAt(range, 'spec', 'limits').filter(isMap);
      const errorsOf = resource.resource === 'pods' ? podLimitErrors : claimLimitErrors;
      const errors = errorsOf(object.value, limits, context.server.since('v1.38') ? { old: oldObject?.value, isExact: true } : asBefore);
      if (errors.length > 0) throw admissionRefusal(attributes, aggregate(errors));
    }
  },
};

/** Up to v1.37, an update checks every amount. */
const asBefore = { old: undefined, isExact: false };

/**
 * Reports whether the request is checked: containers cannot be changed by an update of the pod, only through `resize`, and objects being
 * deleted are exempt.
 */
function isLimited({ kind, operation, subresource, oldObject }: Attributes): boolean {
  if (kind.group !== '' || valueAt(oldObject?.value, 'metadata', 'deletionTimestamp') !== undefined) return false;
  if (kind.kind === 'Pod' && operation === 'UPDATE') return subresource === 'resize';
  return subresource === '' && (kind.kind === 'Pod' || kind.kind === 'PersistentVolumeClaim');
}

function rangesOf({ namespace }: Attributes, context: AdmissionContext): ValueMap[] {
  return listedObjects(context, { group: '', kind: 'LimitRange' }, namespace);
}

function giveDefaults(pod: ValueMap, range: ValueMap): void {
  const defaults = { requests: new Map<string, Value>(), limits: new Map<string, Value>() };
  for (const limit of listAt(range, 'spec', 'limits').filter(l => stringAt(l, 'type') === 'Container')) {
    for (const [name, value] of mapAt(limit, 'defaultRequest') ?? []) defaults.requests.set(name, value);
    for (const [name, value] of mapAt(limit, 'default') ?? []) defaults.limits.set(name, value);
  }
  const given: string[] = [];
  for (const [list, message] of [
    ['containers', 'container'],
    ['initContainers', 'init container'],
  ] as const) {
    for (const container of listAt(pod, 'spec', list).filter(isMap)) {
      const which = `${message} ${stringAt(container, 'name')}`;
      const requests = setMissing(container, 'requests', defaults.requests);
      const limits = setMissing(container, 'limits', defaults.limits);
      if (requests.length > 0) given.push(`${requests.join(', ')} request for ${which}`);
      if (limits.length > 0) given.push(`${limits.join(', ')} limit for ${which}`);
    }
  }
  if (given.length === 0) return;
  const annotations = ensureMap(ensureMap(pod, 'metadata'), 'annotations');
  annotations.set('kubernetes.io/limit-ranger', `LimitRanger plugin set: ${given.join('; ')}`);
}

/** Sets missing values and returns their names, sorted. */
function setMissing(container: ValueMap, key: 'requests' | 'limits', defaults: ReadonlyMap<string, Value>): string[] {
  const present = mapAt(container, 'resources', key);
  const missing = [...defaults].filter(([name]) => present?.has(name) !== true);
  for (const [name, value] of missing) ensureMap(ensureMap(container, 'resources'), key).set(name, value);
  return missing.map(([name]) => name).sort();
}
