import type { GroupVersionResource } from './group-version.js';
import type { Resource } from './resource-table.js';

/**
 * Expands a name such as `po`. A plural or singular of a served resource is never a short name; otherwise the first short name in the
 * server's order wins and loses its version. Source: client-go restmapper/shortcut.go.
 */
export function expandShortName(given: GroupVersionResource, resources: readonly Resource[]): GroupVersionResource {
  const { group, resource } = given;
  const candidates = group === '' ? resources : resources.filter(served => served.group === group);
  if (candidates.some(served => served.resource === resource || served.singular === resource)) return given;
  const short = candidates.find(served => served.shortNames.includes(resource));
  if (short !== undefined) return { group: short.group, version: '', resource: short.resource };
  const prefixed =
    group === '' ? undefined : resources.find(served => served.group.startsWith(group) && served.shortNames.includes(resource));
  return prefixed === undefined ? given : { group: prefixed.group, version: given.version, resource: prefixed.resource };
}
