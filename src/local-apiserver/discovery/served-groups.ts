import { definitionOf } from '../../apiserver/call/definitions.js';
import { servedBy } from '../../apiserver/call/served-resources.js';
import type { ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { memoize } from '../../kubernetes/memoize.js';
import type { Resource, ServedGroup } from '../../kubernetes/resource-table.js';

/** Returns the served groups in the order of discovery: built-in groups by priority, then groups of definitions by name. */
export interface Discovered {
  readonly server: ApiServer;
  readonly groups: readonly ServedGroup[];
  /** Reports whether definitions make up a group. */
  readonly isCustom: (group: string) => boolean;
  readonly resourcesOf: (group: string, version: string) => readonly DiscoveredResource[];
}

export interface DiscoveredResource {
  readonly resource: Resource;
  readonly definition: ValueMap | undefined;
}

/** Contents of discovery for a state. */
export const discovered = memoize((state: ClusterState): Discovered => {
  const { groups, resources } = servedBy(state);
  const ofDefinitions = new Set(resources.filter(resource => resource.custom).map(resource => resource.group));
  const isCustom = (group: string): boolean => ofDefinitions.has(group);
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
