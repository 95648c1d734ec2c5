import { stringAt, type ValueMap } from '../../go/value.js';
import { versionsOfDefinition } from '../../kubernetes/definition-resources.js';
import { type GroupVersionKind, type GroupVersionResource, sameGroupVersion } from '../../kubernetes/group-version.js';
import type { Storage } from '../../kubernetes/storage.js';
import type { Attributes } from '../admission/attributes.js';
import type { AdmissionContext } from '../admission/chain.js';

/**
 * Returns the request's resource in other versions, and in other groups that are stored under the same prefix, in the order in which the API
 * server registered them. Source: apimachinery runtime EquivalentResourceRegistry, kubernetes pkg/controlplane/apiserver/config.go.
 */
export function equivalentsOf(
  { resource, subresource }: Pick<Attributes, 'resource' | 'subresource'>,
  { resources, storage }: Pick<AdmissionContext, 'resources' | 'storage'>,
): { readonly kind: GroupVersionKind; readonly resource: GroupVersionResource }[] {
  const custom = definitionOf(resource, storage);
  const registered = custom === undefined ? resources : versionsOfDefinition(custom);
  const { prefixOf } = storage.server.storageFactory;
  const prefix = prefixOf({ ...resource, custom: custom !== undefined });
  const same = registered.filter(r => r.resource === resource.resource && prefixOf(r) === prefix && !sameGroupVersion(r, resource));
  return same.flatMap(r => {
    const kind = subresource === '' ? r.kind : r.subresources.find(s => s.name === subresource)?.kind;
    const { group, version } = r;
    return kind === undefined ? [] : [{ kind, resource: { group, version, resource: r.resource } }];
  });
}

/** Returns the definition of a custom resource, whose versions count even when they are not served. */
function definitionOf({ group, resource }: GroupVersionResource, storage: Storage): ValueMap | undefined {
  const definitions = storage.list({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' });
  return definitions.find(d => stringAt(d, 'spec', 'group') === group && stringAt(d, 'spec', 'names', 'plural') === resource);
}
