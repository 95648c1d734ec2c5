import { stringAt, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { versionsOfDefinition } from '../../kubernetes/definition-resources.js';
import { type GroupVersionKind, type GroupVersionResource, sameGroupVersion } from '../../kubernetes/group-version.js';
import { memoize } from '../../kubernetes/memoize.js';
import type { Storage } from '../../kubernetes/storage.js';
import type { Attributes } from '../admission/attributes.js';
import type { AdmissionContext } from '../admission/chain.js';

/** A kind and its resource, in another version or group. */
export interface Equivalent {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
}

/**
 * Returns the request's resource in other versions, and in other groups that are stored under the same prefix, in the order in which the API
 * server registered them; the same array for the same resource. Source: apimachinery runtime EquivalentResourceRegistry, kubernetes
 * pkg/controlplane/apiserver/config.go.
 */
export function equivalentsOf(
  { resource, subresource }: Pick<Attributes, 'resource' | 'subresource'>,
  { resources, storage }: Pick<AdmissionContext, 'resources'> & { readonly storage: Pick<Storage, 'server' | 'list'> },
): readonly Equivalent[] {
  const custom = definitionOf(resource, storage);
  const results = resultsFor(storage.server)(custom ?? resources);
  const key = [resource.group, resource.version, resource.resource, subresource].join('/');
  const known = results.get(key);
  if (known !== undefined) return known;
  const { prefixOf } = storage.server.storageFactory;
  const prefix = prefixOf({ ...resource, custom: custom !== undefined });
  const registered = custom === undefined ? resources : versionsOfDefinition(custom);
  const same = registered.filter(r => r.resource === resource.resource && prefixOf(r) === prefix && !sameGroupVersion(r, resource));
  const found = same.flatMap(r => {
    const kind = subresource === '' ? r.kind : r.subresources.find(s => s.name === subresource)?.kind;
    const { group, version } = r;
    return kind === undefined ? [] : [{ kind, resource: { group, version, resource: r.resource } }];
  });
  results.set(key, found);
  return found;
}

/** Of a definition, or of all resources: both are replaced when they change. */
const resultsFor = memoize((_server: ApiServer) =>
  memoize((_source: ValueMap | AdmissionContext['resources']) => new Map<string, readonly Equivalent[]>()),
);

/** Returns the definition of a custom resource, whose versions count even when they are not served. */
function definitionOf({ group, resource }: GroupVersionResource, storage: Pick<Storage, 'list'>): ValueMap | undefined {
  const definitions = storage.list({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' });
  return definitions.find(d => stringAt(d, 'spec', 'group') === group && stringAt(d, 'spec', 'names', 'plural') === resource);
}
