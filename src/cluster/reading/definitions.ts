import { listAt, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { resourcesOfDefinition } from '../../kubernetes/definition-resources.js';
import type { GroupKind } from '../../kubernetes/live-storage.js';
import type { WantedDefinition } from '../../kubernetes/object-source.js';
import { builtInResources, type Resource } from '../../kubernetes/resource-table.js';
import type { ClusterClient } from '../http/cluster-client.js';
import { type ReadResource, readDocument, readObject } from './read-objects.js';

/** Reads CustomResourceDefinitions by the kinds and resources they define. */
export interface DefinitionReader {
  /** Returns the definitions of custom kinds and resources, each once; none for built-in ones and for kinds that the cluster does not have. */
  readonly of: (wanted: readonly WantedDefinition[]) => Promise<readonly ValueMap[]>;
  /** Definitions that have been read. */
  readonly read: () => readonly ValueMap[];
}

const definitionResource: ReadResource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
  kind: { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' },
};

/** Returns a reader that requests each definition once. */
export function definitionReader(server: ApiServer, client: ClusterClient): DefinitionReader {
  const named = new Map<string, Promise<ValueMap | undefined>>();
  const discovered = new Map<string, Promise<ValueMap | undefined>>();
  const read = new Set<ValueMap>();

  const readByName = async (name: string): Promise<ValueMap | undefined> => {
    const reading = named.get(name) ?? readObject(client, definitionResource, { namespace: '', name });
    named.set(name, reading);
    const definition = await reading;
    if (definition !== undefined) read.add(definition);
    return definition;
  };

  const readByKind = async (group: string, version: string, kind: string): Promise<ValueMap | undefined> => {
    const path = `/apis/${group}/${version}`;
    const discovering = discovered.get(path) ?? readDocument(client, path);
    discovered.set(path, discovering);
    const resources = listAt(await discovering, 'resources');
    const plural = resources
      .map(r => (stringAt(r, 'kind') === kind ? stringAt(r, 'name') : ''))
      .find(name => name !== '' && !name.includes('/'));
    return plural === undefined ? undefined : readByName(`${plural}.${group}`);
  };

  return {
    of: async wanted => {
      const custom = wanted.filter(({ group }) => isCustomGroup(server, group));
      const found = await Promise.all(
        custom.map(one => ('kind' in one ? readByKind(one.group, one.version, one.kind) : readByName(`${one.resource}.${one.group}`))),
      );
      return [...new Set(found.filter(definition => definition !== undefined))];
    },
    read: () => [...read],
  };
}

/** Returns the resource of a custom kind, in the stored version if it is served, because reading it requires no conversion. */
export function resourcesRead(definitions: readonly ValueMap[], { group, kind }: GroupKind): Resource | undefined {
  const definition = definitions.find(d => stringAt(d, 'spec', 'group') === group && stringAt(d, 'spec', 'names', 'kind') === kind);
  if (definition === undefined) return undefined;
  const stored = listAt(definition, 'spec', 'versions').find(version => valueAt(version, 'storage') === true);
  const served = resourcesOfDefinition(definition);
  return served.find(({ version }) => version === stringAt(stored, 'name')) ?? served[0];
}

/** Definitions may add kinds to any group with a dot that is not Kubernetes' own. */
function isCustomGroup(server: ApiServer, group: string): boolean {
  return group.includes('.') && !builtInResources(server, 'default').groups.some(known => known.group === group);
}
