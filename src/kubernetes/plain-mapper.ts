import { type GroupVersion, type GroupVersionKind, type GroupVersionResource, sameGroupVersion } from './group-version.js';
import { NoKindMatchError, NoResourceMatchError } from './rest-mapper-error.js';

/** A kind, its resource, and whether the resource is namespaced. */
export interface RestMapping {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  readonly namespaced: boolean;
}

/** One entry of a mapper. */
export interface MapperEntry {
  readonly kind: GroupVersionKind;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
}

/** Maps kinds to resources and back like apimachinery's DefaultRESTMapper, which the discovery mapper is built from. */
export interface PlainMapper {
  /** Returns the kinds of a singular or plural name; group and version may be empty. Throws NoResourceMatchError. */
  kindsFor(resource: GroupVersionResource): GroupVersionKind[];
  /** Returns the plural resources of a name. Throws NoResourceMatchError. */
  resourcesFor(resource: GroupVersionResource): GroupVersionResource[];
  /**
   * Returns the mappings of a kind in the first of these versions that has it, or in all default versions if none are given. Throws the "no
   * match" errors.
   */
  mappings(kind: PlainGroupKind, versions: readonly string[]): RestMapping[];
  /** Returns the singular of a plural resource. */
  singularOf(plural: GroupVersionResource): string | undefined;
}

export interface PlainGroupKind {
  readonly group: string;
  readonly kind: string;
}

/** Builds a mapper; a later entry replaces an earlier one of the same name. Source: apimachinery api/meta/restmapper.go. */
export function plainMapper(entries: readonly MapperEntry[], defaultVersions: readonly GroupVersion[]): PlainMapper {
  const kinds = new Map<string, { readonly resource: GroupVersionResource; readonly kind: GroupVersionKind }>();
  const plurals = new Map<string, RestMapping>();
  const singulars = new Map<string, { readonly plural: GroupVersionResource; readonly singular: GroupVersionResource }>();
  for (const { kind, plural, singular, namespaced } of entries) {
    const pluralResource = { group: kind.group, version: kind.version, resource: plural };
    const singularResource = { ...pluralResource, resource: singular };
    kinds.set(resourceKeyOf(singularResource), { resource: singularResource, kind });
    kinds.set(resourceKeyOf(pluralResource), { resource: pluralResource, kind });
    plurals.set(kindKey(kind), { resource: pluralResource, kind, namespaced });
    singulars.set(resourceKeyOf(pluralResource), { plural: pluralResource, singular: singularResource });
  }
  const preferred = <T extends GroupVersion>(found: T[]): T[] => sortByPreference(found, defaultVersions);
  return {
    kindsFor: resource => {
      const found = matching(coerced(resource), [...kinds.values()], entry => [entry.resource]).map(entry => entry.kind);
      if (found.length === 0) throw new NoResourceMatchError(resource);
      return preferred(found);
    },
    resourcesFor: resource => {
      const found = matching(coerced(resource), [...singulars.values()], entry => [entry.singular, entry.plural]).map(
        entry => entry.plural,
      );
      if (found.length === 0) throw new NoResourceMatchError(coerced(resource));
      return preferred(found);
    },
    mappings: (kind, versions) => mappingsOf(kind, versions, { plurals, defaultVersions }),
    singularOf: plural => singulars.get(resourceKeyOf(plural))?.singular.resource,
  };
}

/** Guesses the resource names of a kind as Kubernetes does: right for built-in kinds, wrong for many others. */
export function guessNames(kind: string): { readonly plural: string; readonly singular: string } {
  const singular = kind.toLowerCase();
  if (singular === '' || singular.endsWith('endpoints')) return { plural: singular, singular };
  if (singular.endsWith('s')) return { plural: `${singular}es`, singular };
  if (singular.endsWith('y')) return { plural: `${singular.slice(0, -1)}ies`, singular };
  return { plural: `${singular}s`, singular };
}

function resourceKeyOf({ group, version, resource }: GroupVersionResource): string {
  return `${group}/${version}/${resource}`;
}

function kindKey({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}

function coerced({ group, version, resource }: GroupVersionResource): GroupVersionResource {
  return { group, version: version === '__internal' ? '' : version, resource: resource.toLowerCase() };
}

/**
 * Returns the entries with a name that matches the given parts; twice if singular and plural are the same word. The core group is the
 * empty string, so "core v1" matches any group with v1. A group without a match is treated as a prefix.
 */
function matching<T>(given: GroupVersionResource, entries: readonly T[], namesOf: (entry: T) => GroupVersionResource[]): T[] {
  const { group, version, resource } = given;
  if (resource === '') throw new Error(`a resource must be present, got: ${group}/${version}, Resource=`);
  const select = (fits: (name: GroupVersionResource) => boolean): T[] =>
    entries.flatMap(entry => namesOf(entry).flatMap(name => (name.resource === resource && fits(name) ? [entry] : [])));
  if (group !== '' && version !== '') return [...new Set(select(name => name.group === group && name.version === version))];
  if (version !== '') return select(name => name.version === version);
  if (group === '') return select(() => true);
  const exact = select(name => name.group === group);
  return exact.length > 0 ? exact : select(name => name.group.startsWith(group));
}

function sortByPreference<T extends GroupVersion>(found: readonly T[], defaultVersions: readonly GroupVersion[]): T[] {
  const rank = (entry: T): number => {
    const at = defaultVersions.findIndex(version => sameGroupVersion(version, entry));
    return at < 0 ? defaultVersions.length : at;
  };
  return [...found].sort((a, b) => rank(a) - rank(b));
}

interface KnownKinds {
  readonly plurals: ReadonlyMap<string, RestMapping>;
  readonly defaultVersions: readonly GroupVersion[];
}

function mappingsOf(kind: PlainGroupKind, versions: readonly string[], { plurals, defaultVersions }: KnownKinds): RestMapping[] {
  const usable = versions.filter(version => version !== '' && version !== '__internal');
  const asked = usable.find(version => plurals.has(kindKey({ ...kind, version })));
  const candidates =
    asked !== undefined ? [asked] : usable.length > 0 ? [] : defaultVersions.filter(v => v.group === kind.group).map(v => v.version);
  if (candidates.length === 0) throw new NoKindMatchError(kind, versions);
  const found = candidates.flatMap(version => plurals.get(kindKey({ ...kind, version })) ?? []);
  if (found.length === 0) throw new NoResourceMatchError({ group: kind.group, version: '', resource: kind.kind });
  return found;
}
