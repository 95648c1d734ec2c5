import type { GroupVersion, GroupVersionKind, GroupVersionResource } from './group-version.js';
import { guessNames, type MapperEntry, type PlainGroupKind, type PlainMapper, plainMapper, type RestMapping } from './plain-mapper.js';
import type { Resource, ResourceTable } from './resource-table.js';
import { AmbiguousKindError, AmbiguousResourceError, isNoMatch, NoKindMatchError, NoResourceMatchError } from './rest-mapper-error.js';

/**
 * Maps kinds to resources and back, like a client with discovery. Group and version may be empty, a name may be singular, plural or short.
 * Source: client-go restmapper/discovery.go, shortcut.go; apimachinery api/meta.
 */
export interface RestMapper {
  /** Returns the kind of a resource. Throws NoResourceMatchError, AmbiguousResourceError. */
  kindFor(resource: GroupVersionResource): GroupVersionKind;
  /** Returns all kinds of a resource. Throws NoResourceMatchError. */
  kindsFor(resource: GroupVersionResource): GroupVersionKind[];
  /** Returns the plural resource with its group and version. Throws NoResourceMatchError, AmbiguousResourceError. */
  resourceFor(resource: GroupVersionResource): GroupVersionResource;
  /** Returns all resources that a name may denote. Throws NoResourceMatchError. */
  resourcesFor(resource: GroupVersionResource): GroupVersionResource[];
  /**
   * Returns the mapping of a kind; the given versions are preferred in their order. Throws NoKindMatchError, NoResourceMatchError,
   * AmbiguousKindError.
   */
  mapping(kind: PlainGroupKind, ...versions: string[]): RestMapping;
  /** Returns all mappings of a kind. Throws NoKindMatchError. */
  mappings(kind: PlainGroupKind, ...versions: string[]): RestMapping[];
  /** Returns the singular: `pod` for `pods` and `pod`. Throws the errors of resourcesFor, and plain ones with apimachinery's messages. */
  singular(resource: string): string;
}

/** Builds the mapper of a client that discovers a server with these groups and resources. */
export function restMapperOf({ groups, resources }: ResourceTable): RestMapper {
  const inGroupVersion = groupedByVersion(resources);
  const served = groups
    .flatMap(({ group, versions }) => versions.map(version => ({ group, version })))
    .filter(groupVersion => inGroupVersion.has(versionKey(groupVersion)));
  const all = served.map(groupVersion => ({ ...groupVersion, mapper: lazyMapper(groupVersion, inGroupVersion) }));
  const mappers = (): PlainMapper[] => all.map(({ mapper }) => mapper());
  const priorities = prioritiesOf(served);
  // A mapper has kinds of its own group only: the others need not be built.
  const union = unionOf(mappers, group => all.filter(entry => entry.group === group).map(({ mapper }) => mapper()));
  const expanded = (resource: GroupVersionResource): GroupVersionResource => expandShortName(resource, resources);
  // Thousands of objects have only a few kinds.
  const known = new Map<string, RestMapping>();
  return {
    kindFor: given => {
      const resource = expanded(given);
      const kinds = union.kindsFor(resource);
      return preferredOf(kinds, priorities) ?? ambiguous(resource, { resources: [], kinds });
    },
    kindsFor: given => union.kindsFor(expanded(given)),
    resourceFor: given => {
      const resource = expanded(given);
      const found = union.resourcesFor(resource);
      return preferredOf(found, priorities) ?? ambiguous(resource, { resources: found, kinds: [] });
    },
    resourcesFor: given => union.resourcesFor(expanded(given)),
    mappings: (kind, ...versions) => union.mappings(kind, versions),
    mapping: (kind, ...versions) => {
      const asked = JSON.stringify([kind.group, kind.kind, ...versions]);
      const mapping = known.get(asked) ?? preferredMapping(kind, versions, { found: union.mappings(kind, versions), priorities });
      known.set(asked, mapping);
      return mapping;
    },
    singular: name => singularIn(mappers(), name),
  };
}

type Pattern = Partial<GroupVersion>;

/** Core v1 first, then every group's versions in the server's order, then any version of a group. */
function prioritiesOf(served: readonly GroupVersion[]): readonly Pattern[] {
  const groups = [...new Set(served.map(({ group }) => group))];
  return [{ group: '', version: 'v1' }, ...served, ...groups.map(group => ({ group }))];
}

/** Narrows the matches pattern by pattern until one is left. */
function preferredOf<T extends GroupVersion>(found: readonly T[], patterns: readonly Pattern[]): T | undefined {
  let left = found;
  for (const { group, version } of patterns) {
    if (left.length === 1) break;
    const fitting = left.filter(entry => (group ?? entry.group) === entry.group && (version ?? entry.version) === entry.version);
    if (fitting.length > 0) left = fitting;
  }
  return left.length === 1 ? left[0] : undefined;
}

interface FoundMappings {
  readonly found: readonly RestMapping[];
  readonly priorities: readonly Pattern[];
}

function preferredMapping(kind: PlainGroupKind, versions: readonly string[], { found, priorities }: FoundMappings): RestMapping {
  const asked = versions.map(version => ({ group: kind.group, version }));
  const preferred = preferredOf(
    found.map(mapping => ({ ...mapping.kind, mapping })),
    [...asked, ...priorities],
  );
  if (preferred === undefined) throw new AmbiguousKindError(kind, { resources: [], kinds: found.map(mapping => mapping.kind) });
  return preferred.mapping;
}

function ambiguous(resource: GroupVersionResource, matches: ConstructorParameters<typeof AmbiguousResourceError>[1]): never {
  throw new AmbiguousResourceError(resource, matches);
}

/** Returns the entries of a group version: three names for each resource, and its own `List`. Subresources have no names. */
function entriesOf(groupVersion: GroupVersion, resources: readonly Resource[]): MapperEntry[] {
  const entries = resources.flatMap(({ kind, resource, singular, namespaced }) => {
    const names = { plural: resource, singular: singular === '' ? guessNames(kind.kind).singular : singular, namespaced };
    const list = { ...groupVersion, kind: `${kind.kind}List` };
    return [
      { ...names, kind: { ...groupVersion, kind: kind.kind.toLowerCase() } },
      { ...names, kind: { ...groupVersion, kind: kind.kind } },
      { ...guessNames(list.kind), namespaced, kind: list },
    ];
  });
  return [...entries, { ...guessNames('List'), namespaced: false, kind: { ...groupVersion, kind: 'List' } }];
}

/** Returns the mapper of one group version, built on first use. */
function lazyMapper(groupVersion: GroupVersion, inGroupVersion: ReadonlyMap<string, readonly Resource[]>): () => PlainMapper {
  let built: PlainMapper | undefined;
  return () => {
    built ??= plainMapper(entriesOf(groupVersion, inGroupVersion.get(versionKey(groupVersion)) ?? []), [groupVersion]);
    return built;
  };
}

type Union = Pick<PlainMapper, 'kindsFor' | 'resourcesFor' | 'mappings'>;

/** Combines the results of all mappers without repetition; mappers without a match are skipped. */
function unionOf(mappers: () => readonly PlainMapper[], ofGroup: (group: string) => readonly PlainMapper[]): Union {
  return {
    kindsFor: resource =>
      nonEmpty(
        allOf(mappers(), mapper => mapper.kindsFor(resource)),
        () => new NoResourceMatchError(resource),
      ),
    resourcesFor: resource =>
      nonEmpty(
        allOf(mappers(), mapper => mapper.resourcesFor(resource)),
        () => new NoResourceMatchError(resource),
      ),
    mappings: (kind, versions) =>
      nonEmpty(
        allOf(ofGroup(kind.group), mapper => mapper.mappings(kind, versions)),
        () => new NoKindMatchError(kind, versions),
      ),
  };
}

function allOf<T>(mappers: readonly PlainMapper[], ask: (mapper: PlainMapper) => T[]): T[] {
  const found = new Map<string, T>();
  for (const mapper of mappers) {
    for (const entry of answerOf(mapper, ask)) {
      const key = JSON.stringify(entry);
      if (!found.has(key)) found.set(key, entry);
    }
  }
  return [...found.values()];
}

function answerOf<T>(mapper: PlainMapper, ask: (mapper: PlainMapper) => T[]): T[] {
  try {
    return ask(mapper);
  } catch (error) {
    if (isNoMatch(error)) return [];
    throw error;
  }
}

function nonEmpty<T>(found: T[], error: () => Error): T[] {
  if (found.length === 0) throw error();
  return found;
}

/** Returns the singular from the first mapper that has exactly one. */
function singularIn(mappers: readonly PlainMapper[], name: string): string {
  let last: unknown;
  for (const mapper of mappers) {
    try {
      const plurals = mapper.resourcesFor({ group: '', version: '', resource: name });
      const singulars = new Set(plurals.flatMap(plural => mapper.singularOf(plural) ?? []));
      const [singular] = singulars;
      if (singular === undefined) throw new Error(`no singular of resource ${name} has been defined`);
      if (singulars.size > 1) throw new Error(`multiple possible singular resources (${[...singulars].join(' ')}) found for ${name}`);
      return singular;
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

function groupedByVersion(resources: readonly Resource[]): Map<string, Resource[]> {
  const grouped = new Map<string, Resource[]>();
  for (const resource of resources) {
    const key = versionKey(resource);
    const known = grouped.get(key);
    if (known === undefined) grouped.set(key, [resource]);
    else known.push(resource);
  }
  return grouped;
}

function versionKey({ group, version }: GroupVersion): string {
  return `${group}/${version}`;
}

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
