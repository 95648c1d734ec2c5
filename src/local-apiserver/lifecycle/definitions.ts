import { storageVersion } from '../../apiserver/storage/custom-storage.js';
import { copyOf, ensureMap, listAt, mapAt, stringAt, toValue, type Value, type ValueMap } from '../../go/value.js';
import { isEstablished } from '../../kubernetes/definition-resources.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import { kindName, type Store } from '../store/store.js';
import { acceptedNames } from './accepted-names.js';

const definitionKind = { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' };
const definitions = kindName(definitionKind);

/**
 * Synchronously does what the API server's controllers do for definitions: accepts their names, establishes them, and on deletion removes
 * their objects and then the definitions. Source: apiextensions-apiserver pkg/controller/{status,establish,finalizer}.
 */
export function followDefinitions(store: Store, now: () => Date): void {
  store.subscribe(({ kind, object, previous }) => {
    if (kind === definitions) {
      const current = object === undefined ? undefined : store.find(definitionKind, '', stringAt(object, 'metadata', 'name'));
      if (current !== undefined) settle(current, store, now);
      // Conflicting names may be available now.
      if (object === undefined && previous !== undefined) settleGroup(stringAt(previous, 'spec', 'group'), store, now);
      return;
    }
    if (object !== undefined) return;
    for (const definition of store.list(definitionKind)) if (isTerminating(definition)) finish(definition, store, now);
  });
}

function settleGroup(group: string, store: Store, now: () => Date): void {
  for (const definition of store.list(definitionKind)) if (stringAt(definition, 'spec', 'group') === group) settle(definition, store, now);
}

function settle(definition: ValueMap, store: Store, now: () => Date): void {
  if (isTerminating(definition)) {
    finish(definition, store, now);
    return;
  }
  const named = withNames(definition, store, now);
  if (named !== undefined) {
    write(named, definition, store, now);
    return;
  }
  if (conditionStatus(definition, 'NamesAccepted') !== 'True' || isEstablished(definition)) return;
  const established = withCondition(definition, established_, now);
  write(established, definition, store, now);
}

const established_ = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};

/** Returns the definition with accepted or rejected names; undefined if its status is up to date. */
function withNames(definition: ValueMap, store: Store, now: () => Date): ValueMap | undefined {
  const { names, conflict } = acceptedNames(definition, store.list(definitionKind));
  const wanted =
    conflict === undefined
      ? { type: 'NamesAccepted', status: 'True', ...noConflicts }
      : { type: 'NamesAccepted', status: 'False', ...conflict };
  const before = conditionOf(definition, 'NamesAccepted');
  const isSame = Object.entries(wanted).every(([key, value]) => stringAt(before, key) === value);
  if (isSame && sorted(names) === sorted(mapAt(definition, 'status', 'acceptedNames'))) return undefined;
  const changed = withCondition(definition, wanted, now);
  ensureMap(changed, 'status').set('acceptedNames', names);
  if (isEstablished(changed)) return changed;
  const waiting =
    conflict === undefined
      ? { reason: 'Installing', message: 'the initial names have been accepted' }
      : { reason: 'NotAccepted', message: 'not all names are accepted' };
  return withCondition(changed, { type: 'Established', status: 'False', ...waiting }, now);
}

const noConflicts = { reason: 'NoConflicts', message: 'no conflicts found' };

function sorted(names: ValueMap | undefined): string {
  return JSON.stringify([...(names ?? [])].sort());
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** Returns a copy with the condition replaced, or appended. */
function withCondition(definition: ValueMap, condition: Condition, now: () => Date): ValueMap {
  const copy = copyOf(definition);
  const status = ensureMap(copy, 'status');
  const { type, status: value, reason, message } = condition;
  const before = listAt(status, 'conditions');
  const old = before.find(c => stringAt(c, 'type') === type);
  const time = old !== undefined && stringAt(old, 'status') === value ? stringAt(old, 'lastTransitionTime') : timestampOf(now());
  const written = toValue({ type, status: value, lastTransitionTime: time, reason, message });
  status.set('conditions', old === undefined ? [...before, written] : before.map(c => (c === old ? written : c)));
  return copy;
}

function conditionStatus(definition: ValueMap, type: string): string {
  return stringAt(conditionOf(definition, type), 'status');
}

function reasonOf(definition: ValueMap, type: string): string {
  return stringAt(conditionOf(definition, type), 'reason');
}

function conditionOf(definition: ValueMap, type: string): Value | undefined {
  return listAt(definition, 'status', 'conditions').find(c => stringAt(c, 'type') === type);
}

/** The controllers own the status fields that they write. */
function write(changed: ValueMap, old: ValueMap, store: Store, now: () => Date): void {
  const metadata = ensureMap(changed, 'metadata');
  const others = listAt(metadata, 'managedFields').filter(
    entry => stringAt(entry, 'manager') !== 'kube-apiserver' || stringAt(entry, 'subresource') !== 'status',
  );
  metadata.set('managedFields', [...others, statusOwner(changed, timestampOf(now()))]);
  store.update(changed, stringAt(old, 'metadata', 'resourceVersion'));
}

function statusOwner(definition: ValueMap, time: string): Value {
  const condition = Object.fromEntries(
    ['.', ...['lastTransitionTime', 'message', 'reason', 'status', 'type'].map(name => `f:${name}`)].map(key => [key, {}]),
  );
  const types = listAt(definition, 'status', 'conditions').map(c => stringAt(c, 'type'));
  const names = [...(mapAt(definition, 'status', 'acceptedNames') ?? [])].filter(([, value]) => value !== '').map(([key]) => key);
  const fieldsV1 = {
    'f:status': {
      'f:acceptedNames': Object.fromEntries(names.sort().map(name => [`f:${name}`, {}])),
      'f:conditions': Object.fromEntries(types.sort().map(type => [`k:{"type":${JSON.stringify(type)}}`, condition])),
    },
  };
  return toValue({
    manager: 'kube-apiserver',
    operation: 'Update',
    apiVersion: 'apiextensions.k8s.io/v1',
    time,
    fieldsType: 'FieldsV1',
    fieldsV1,
    subresource: 'status',
  });
}

function isTerminating(definition: ValueMap): boolean {
  return stringAt(definition, 'metadata', 'deletionTimestamp') !== '';
}

const cleanup = 'customresourcecleanup.apiextensions.k8s.io';

const inProgress = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};

/** Starts the deletion of a definition's objects, which writes its status, or completes its own. */
function finish(definition: ValueMap, store: Store, now: () => Date): void {
  const finalizers = listAt(definition, 'metadata', 'finalizers');
  if (!finalizers.includes(cleanup)) return;
  // Another definition may have the kind of one that was never established.
  const hasInstances = isEstablished(definition);
  const failure = hasInstances ? deletionFailure(definition, store) : undefined;
  if (reasonOf(definition, 'Terminating') !== inProgress.reason) {
    if (failure !== undefined && stringAt(conditionOf(definition, 'Terminating'), 'message') === failure.message) return;
    write(withCondition(definition, inProgress, now), definition, store, now);
    return;
  }
  if (failure !== undefined) {
    write(withCondition(definition, failure, now), definition, store, now);
    return;
  }
  if (hasInstances && removeInstances(definition, store, now) > 0) return;
  const current = store.find(definitionKind, '', stringAt(definition, 'metadata', 'name'));
  if (current === undefined || !listAt(current, 'metadata', 'finalizers').includes(cleanup)) return;
  const version = stringAt(current, 'metadata', 'resourceVersion');
  const rest = listAt(current, 'metadata', 'finalizers').filter(f => f !== cleanup);
  if (rest.length === 0) {
    store.remove(current, version);
    return;
  }
  const kept = copyOf(current);
  ensureMap(kept, 'metadata').set('finalizers', rest);
  store.update(kept, version);
}

/** Returns the condition of a definition with an object of a version that it does not have any more; undefined if all can be read. */
function deletionFailure(definition: ValueMap, store: Store): Condition | undefined {
  const [group, kind] = [stringAt(definition, 'spec', 'group'), stringAt(definition, 'spec', 'names', 'kind')];
  const known = listAt(definition, 'spec', 'versions').map(version => `${group}/${stringAt(version, 'name')}`);
  const lost = store.list({ group, kind }).find(object => !known.includes(stringAt(object, 'apiVersion')));
  if (lost === undefined) return undefined;
  const why = `failed to list ${group}/${storageVersion(definition)}, Kind=${kind}: request to convert CR from an invalid group/version`;
  const message = `could not list instances: storage is (re)initializing: ${why}: ${stringAt(lost, 'apiVersion')}`;
  return { type: 'Terminating', status: 'True', reason: 'InstanceDeletionFailed', message };
}

/** Deletes the objects of a definition; those with finalizers are only marked. Returns the number of remaining objects. */
function removeInstances(definition: ValueMap, store: Store, now: () => Date): number {
  const kind = { group: stringAt(definition, 'spec', 'group'), kind: stringAt(definition, 'spec', 'names', 'kind') };
  for (const object of store.list(kind)) {
    const version = stringAt(object, 'metadata', 'resourceVersion');
    if (listAt(object, 'metadata', 'finalizers').length === 0) {
      store.remove(object, version);
      continue;
    }
    if (stringAt(object, 'metadata', 'deletionTimestamp') !== '') continue;
    const marked = copyOf(object);
    const metadata = ensureMap(marked, 'metadata');
    metadata.set('deletionTimestamp', timestampOf(now()));
    metadata.set('deletionGracePeriodSeconds', 0n);
    const generation = metadata.get('generation');
    if (typeof generation === 'bigint') metadata.set('generation', generation + 1n);
    store.update(marked, version);
  }
  return store.list(kind).length;
}
