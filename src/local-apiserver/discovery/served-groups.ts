import { definitionOf } from '../../apiserver/call/definitions.js';
import { builtInGroups, type Served, servedBy } from '../../apiserver/call/served-resources.js';
import type { ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { isEstablished } from '../../kubernetes/definition-resources.js';
import { memoize } from '../../kubernetes/memoize.js';
import type { Resource, ServedGroup } from '../../kubernetes/resource-table.js';

/** Returns the served groups in the order of discovery: built-in groups by priority, then groups of definitions by name. */
export interface Discovered {
  readonly server: ApiServer;
  readonly groups: readonly ServedGroup[];
  /** Reports whether only definitions make up a group. */
  readonly isCustom: (group: string) => boolean;
  readonly resourcesOf: (group: string, version: string) => readonly DiscoveredResource[];
}

export interface DiscoveredResource {
  readonly resource: Resource;
  readonly definition: ValueMap | undefined;
}

/** Returns what clients may know: without the resources of definitions that are served, but not established. */
function established(served: Served, state: ClusterState): Served {
  if (state.live === undefined) return served;
  const resources = served.resources.filter(resource => {
    const definition = definitionOf(resource, state);
    return definition === undefined || isEstablished(definition);
  });
  if (resources.length === served.resources.length) return served;
  const hasVersion = (group: string, version: string): boolean => resources.some(r => r.group === group && r.version === version);
  const isCustom = (group: string): boolean => served.resources.some(r => r.custom && r.group === group);
  const groups = served.groups.flatMap(({ group, versions }) => {
    const kept = isCustom(group) ? versions.filter(version => hasVersion(group, version)) : versions;
    return kept.length === 0 ? [] : [{ group, versions: kept }];
  });
  return { groups, resources };
}

/** Contents of discovery for a state. */
export const discovered = memoize((state: ClusterState): Discovered => {
  const served = established(servedBy(state), state);
  const { groups, resources } = served;
  const isCustom = (group: string): boolean => !builtInGroups(served).has(group);
  const custom = groups.filter(({ group }) => isCustom(group)).sort((a, b) => (a.group < b.group ? -1 : 1));
  return {
    server: state.server,
    groups: [...groups.filter(({ group }) => !isCustom(group)), ...custom],
    isCustom,
    resourcesOf: (group, version) =>
      resources
        .filter(resource => resource.group === group && resource.version === version)
        .map(resource => ({ resource, definition: definitionOf(resource, state) }))
        .sort((a, b) => (a.resource.resource < b.resource.resource ? -1 : 1)),
  };
});
