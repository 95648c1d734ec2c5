import { sortedEntries } from '../../apiserver/patches/managed-fields/entries.js';
import { copyOf, ensureMap, isMap, listAt, mapAt, stringAt, toValue, type Value, type ValueMap, valueAt } from '../../go/value.js';
import type { Effects } from '../../kubernetes/effects.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import { kindName } from '../store/collection-names.js';
import type { Store } from '../store/store.js';
import { apiServiceGvk, automanaged } from './api-services.js';

const definitionKind = { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' };
const [definitions, apiServices] = [kindName(definitionKind), kindName(apiServiceGvk)];

/**
 * Keeps an APIService for every version that definitions serve. Source: kube-apiserver pkg/controlplane/controller/crdregistration,
 * kube-aggregator pkg/controllers/autoregister.
 */
export function followRegisteredVersions(store: Store, effects: () => Effects): void {
  store.subscribe(({ collection, object, previous }) => {
    const changed = object ?? previous;
    if (collection === definitions) {
      const group = stringAt(changed, 'spec', 'group');
      const versions = [object, previous].flatMap(definition =>
        listAt(definition, 'spec', 'versions').map(version => stringAt(version, 'name')),
      );
      for (const version of new Set(versions)) settle({ group, version }, store, effects);
    } else if (collection === apiServices) {
      const [group, version] = ['group', 'version'].map(key => stringAt(changed, 'spec', key)) as [string, string];
      if (group.includes('.') && isServed({ group, version }, store)) settle({ group, version }, store, effects);
    }
  });
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

function settle(wanted: GroupVersion, store: Store, effects: () => Effects): void {
  const name = `${wanted.version}.${wanted.group}`;
  const found = store.find(apiServiceGvk, '', name);
  if (found === undefined) {
    if (isServed(wanted, store)) store.create(apiServiceFor(wanted, effects()));
    return;
  }
  if (stringAt(found, 'metadata', 'labels', automanaged) !== 'true') return;
  const resourceVersion = stringAt(found, 'metadata', 'resourceVersion');
  if (!isServed(wanted, store)) store.remove(found, resourceVersion);
  else if (!hasSpec(found, wanted)) store.update(withSpec(found, wanted, effects().now()), resourceVersion);
}

function isServed({ group, version }: GroupVersion, store: Store): boolean {
  return store
    .list(definitionKind)
    .some(
      definition =>
        stringAt(definition, 'spec', 'group') === group &&
        listAt(definition, 'spec', 'versions').some(entry => stringAt(entry, 'name') === version && valueAt(entry, 'served') === true),
    );
}

function specOf({ group, version }: GroupVersion): ValueMap {
  return toValue({ group, version, groupPriorityMinimum: 1000, versionPriority: 100 }) as ValueMap;
}

function hasSpec(apiService: ValueMap, wanted: GroupVersion): boolean {
  const [spec, expected] = [mapAt(apiService, 'spec') ?? new Map(), specOf(wanted)];
  return spec.size === expected.size && [...expected].every(([key, value]) => spec.get(key) === value);
}

function apiServiceFor(wanted: GroupVersion, { uid, now }: Effects): ValueMap {
  const time = timestampOf(now());
  const available = { status: 'True', reason: 'Local', message: 'Local APIServices are always available' };
  return toValue({
    kind: 'APIService',
    apiVersion: 'apiregistration.k8s.io/v1',
    metadata: {
      name: `${wanted.version}.${wanted.group}`,
      uid: uid(),
      creationTimestamp: time,
      labels: { [automanaged]: 'true' },
      managedFields: [specOwner(time)],
    },
    spec: specOf(wanted),
    status: { conditions: [{ type: 'Available', lastTransitionTime: time, ...available }] },
  }) as ValueMap;
}

/** Returns an APIService that somebody changed with its spec as before; nobody else owns a field of its spec then. */
function withSpec(apiService: ValueMap, wanted: GroupVersion, now: Date): ValueMap {
  const changed = copyOf(apiService);
  changed.set('spec', specOf(wanted));
  const others = listAt(apiService, 'metadata', 'managedFields')
    .filter(entry => !isSpecOwner(entry))
    .flatMap(withoutSpec);
  ensureMap(changed, 'metadata').set('managedFields', sortedEntries([specOwner(timestampOf(now)), ...others]));
  return changed;
}

function isSpecOwner(entry: Value): boolean {
  return stringAt(entry, 'manager') === 'kube-apiserver' && stringAt(entry, 'subresource') === '';
}

function withoutSpec(entry: Value): Value[] {
  if (!isMap(entry)) return [];
  const changed = copyOf(entry);
  const fields = ensureMap(changed, 'fieldsV1');
  fields.delete('f:spec');
  return fields.size === 0 ? [] : [changed];
}

function specOwner(time: string): Value {
  const fieldsV1 = {
    'f:metadata': { 'f:labels': { '.': {}, [`f:${automanaged}`]: {} } },
    'f:spec': { 'f:group': {}, 'f:groupPriorityMinimum': {}, 'f:version': {}, 'f:versionPriority': {} },
  };
  const owner = { manager: 'kube-apiserver', operation: 'Update', apiVersion: 'apiregistration.k8s.io/v1' };
  return toValue({ ...owner, time, fieldsType: 'FieldsV1', fieldsV1 });
}
