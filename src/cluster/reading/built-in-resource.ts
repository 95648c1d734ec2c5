import type { ApiServer } from '../../kubernetes/api-server.js';
import type { GroupKind } from '../../kubernetes/live-storage.js';
import { builtInResources, type Resource } from '../../kubernetes/resource-table.js';

/** Returns the built-in resource of a kind, in the version that the API server prefers. */
export function builtInResource(server: ApiServer, { group, kind }: GroupKind): Resource | undefined {
  const { groups, resources } = builtInResources(server, 'default');
  const own = resources.filter(resource => resource.kind.kind === kind && resource.group === group && !resource.custom);
  const versions = groups.find(served => served.group === group)?.versions ?? [];
  return versions.map(version => own.find(resource => resource.version === version)).find(resource => resource !== undefined);
}
