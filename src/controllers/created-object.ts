import { copyOf, ensureMap, isMap, listAt, mapAt, stringAt, toValue, type Value, type ValueMap } from '../go/value.js';
import { apiVersionOf, type GroupVersionKind } from '../kubernetes/group-version.js';
import { kindOf } from '../kubernetes/storage.js';

/** Object that a controller creates. */
export interface CreatedObject {
  /** Service account of the controller in kube-system: `replicaset-controller`. */
  readonly controller: string;
  readonly object: ValueMap;
  /** Assumptions, and what depends on the cluster. */
  readonly notes: readonly string[];
}

/** Returns the owner reference of a created object. Source: apimachinery apis/meta/v1/controller_ref.go NewControllerRef. */
export function controllerReference(owner: ValueMap): Value {
  return toValue({
    apiVersion: stringAt(owner, 'apiVersion'),
    kind: stringAt(owner, 'kind'),
    name: nameOfCreated(owner),
    uid: stringAt(owner, 'metadata', 'uid'),
    controller: true,
    blockOwnerDeletion: true,
  });
}

/**
 * Returns a pod from its owner's template: labels, annotations, finalizers and spec. Source: pkg/controller/controller_utils.go
 * GetPodFromTemplate.
 */
export function podFromTemplate(owner: ValueMap, template: ValueMap): ValueMap {
  const metadata = new Map<string, Value>([
    ['generateName', `${nameOfCreated(owner)}-`],
    ['namespace', stringAt(owner, 'metadata', 'namespace')],
    ...members(template, ['labels', 'annotations', 'finalizers']),
    ['ownerReferences', [controllerReference(owner)]],
  ]);
  const pod = objectOfTemplate({ group: '', version: 'v1', kind: 'Pod' }, metadata);
  pod.set('spec', copyOf(mapAt(template, 'spec') ?? new Map()));
  return pod;
}

/** Returns an object of a kind with this metadata only. */
export function objectOfTemplate(kind: GroupVersionKind, metadata: ValueMap): ValueMap {
  return new Map<string, Value>([
    ['apiVersion', apiVersionOf(kind)],
    ['kind', kind.kind],
    ['metadata', metadata],
  ]);
}

/** Returns a copy of the pod template of a workload. */
export function templateOf(workload: ValueMap): ValueMap {
  return copyOf(mapAt(workload, 'spec', 'template') ?? new Map());
}

export function nameOfCreated(object: ValueMap): string {
  return stringAt(object, 'metadata', 'name');
}

/** Sets a label of an object or a template. */
export function setLabel(object: ValueMap, key: string, value: string): void {
  ensureMap(ensureMap(object, 'metadata'), 'labels').set(key, value);
}

/** Returns the note that only one of several equal pods is shown. */
export function alikeNote(owner: ValueMap, count: bigint): string[] {
  return count > 1n
    ? [`${kindOf(owner).kind} ${nameOfCreated(owner)} requests ${count} pods that differ only in their names: one of them is shown`]
    : [];
}

function members(template: ValueMap, names: readonly string[]): (readonly [string, Value])[] {
  const metadata = mapAt(template, 'metadata');
  return names.flatMap(name => {
    const value = metadata?.get(name);
    const isEmpty = isMap(value) ? value.size === 0 : listAt(metadata, name).length === 0;
    return value === undefined || isEmpty ? [] : [[name, copyOf(value)] as const];
  });
}
