import { stringAt, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { GroupKind } from '../../kubernetes/live-storage.js';
import { NotYetRead, type ObjectSource } from '../../kubernetes/object-source.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import { storedKind } from '../../kubernetes/storage.js';
import type { ClusterClient } from '../http/cluster-client.js';
import { builtInResource } from './built-in-resource.js';
import { definitionReader, resourcesRead } from './definitions.js';
import { readList, readObject } from './read-objects.js';
import { configurationKinds, definitionKind, policyKinds } from './whole-kinds.js';

/** Kinds that every state of a cluster already contains. */
const heldByStates: ReadonlySet<string> = new Set([definitionKind, ...configurationKinds, ...policyKinds].map(nameOfKind));

/** Kinds of which many objects are needed: they are read in one list. */
const readWhole: ReadonlySet<string> = new Set(['rbac.authorization.k8s.io/ClusterRole', 'rbac.authorization.k8s.io/Role']);

/** Returns the objects of a cluster; each is read once, when it is first needed. */
export function clusterSource(server: ApiServer, client: ClusterClient): ObjectSource {
  const definitions = definitionReader(server, client);
  const known = new Map<string, ValueMap | undefined | readonly ValueMap[]>();
  const wanted = new Map<string, () => Promise<void>>();
  const resourceOf = (kind: GroupKind): Resource | undefined => builtInResource(server, kind) ?? resourcesRead(definitions.read(), kind);

  const want = (key: string, read: () => Promise<ValueMap | undefined | readonly ValueMap[]>): never => {
    let reading: Promise<void> | undefined;
    const start = (): Promise<void> => {
      reading ??= read()
        .then(value => void known.set(key, value))
        .finally(() => wanted.delete(key));
      return reading;
    };
    if (!wanted.has(key)) wanted.set(key, start);
    throw new NotYetRead(key);
  };

  const list = (kind: GroupKind, namespace?: string): readonly ValueMap[] => {
    const resource = resourceOf(storedKind(kind));
    if (resource === undefined) return [];
    const scope = resource.namespaced ? namespace : undefined;
    const all = known.get(sourceKeyOf(resource, undefined));
    if (isList(all)) return scope === undefined ? all : all.filter(object => namespaceOf(object) === scope);
    const key = sourceKeyOf(resource, scope);
    const found = known.get(key);
    return isList(found) ? found : want(key, () => readList(client, resource, { namespace: scope }));
  };

  return {
    list: (kind, namespace) => (heldByStates.has(nameOfKind(kind)) ? [] : list(kind, namespace)),
    find: (kind, namespace, name) => {
      const resource = resourceOf(storedKind(kind));
      if (resource === undefined || name === '') return undefined;
      const scope = resource.namespaced ? namespace : '';
      const lists = [sourceKeyOf(resource, undefined), sourceKeyOf(resource, scope)].map(key => known.get(key));
      const whole = lists.find(isList) ?? (readWhole.has(nameOfKind(kind)) ? list(kind, scope) : undefined);
      if (whole !== undefined) return whole.find(object => nameOf(object) === name && namespaceOf(object) === scope);
      const key = `${sourceKeyOf(resource, scope)}/${name}`;
      const found = known.get(key);
      if (known.has(key) && !isList(found)) return found;
      return want(key, () => readObject(client, resource, { namespace: scope, name }));
    },
    readMissing: async missed => {
      const own = wanted.get(missed.key)?.();
      // The callers that wait for an object handle its errors.
      for (const start of wanted.values()) start().catch(() => {});
      await own;
    },
    definitionsOf: definitions.of,
  };
}

/** `v1/pods`, `apps/v1/deployments/team`; without a namespace: of all. */
function sourceKeyOf({ group, version, resource }: Resource, namespace: string | undefined): string {
  return [group, version, resource, ...(namespace === undefined ? [] : [namespace])].join('/');
}

function nameOfKind({ group, kind }: GroupKind): string {
  return `${group}/${kind}`;
}

function isList(value: ValueMap | undefined | readonly ValueMap[]): value is readonly ValueMap[] {
  return Array.isArray(value);
}

function namespaceOf(object: ValueMap): string {
  return stringAt(object, 'metadata', 'namespace');
}

function nameOf(object: ValueMap): string {
  return stringAt(object, 'metadata', 'name');
}
