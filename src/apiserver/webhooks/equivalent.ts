import { type GroupVersionKind, type GroupVersionResource, sameGroupVersion } from '../../kubernetes/group-version.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import type { Attributes } from '../admission/attributes.js';

/**
 * The other resources that are the request's under another version (or group: events), in the order in which the API
 * server registered them. Source: apimachinery runtime EquivalentResourceRegistry; kube-apiserver's storage versions.
 */
export function equivalentsOf(
  { resource, subresource }: Pick<Attributes, 'resource' | 'subresource'>,
  resources: readonly Resource[],
): { readonly kind: GroupVersionKind; readonly resource: GroupVersionResource }[] {
  const same = resources.filter(
    r => r.resource === resource.resource && storageGroup(r) === storageGroup(resource) && !sameGroupVersion(r, resource),
  );
  return same.flatMap(r => {
    const kind = subresource === '' ? r.kind : r.subresources.find(s => s.name === subresource)?.kind;
    const { group, version } = r;
    return kind === undefined ? [] : [{ kind, resource: { group, version, resource: r.resource } }];
  });
}

/** Events of both groups are kept in one place. */
function storageGroup({ group, resource }: { readonly group: string; readonly resource: string }): string {
  return resource === 'events' && group === 'events.k8s.io' ? '' : group;
}
