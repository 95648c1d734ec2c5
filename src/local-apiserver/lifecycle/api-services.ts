import { mapAt, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import type { ServedGroup } from '../../kubernetes/resource-table.js';
import { compareVersions } from '../../kubernetes/version-order.js';
import type { Store } from '../store/store.js';

/** Kind of the objects that name what serves a version. */
export const apiServiceGvk = { group: 'apiregistration.k8s.io', kind: 'APIService' };
/** Label of API services that the API server writes. */
export const automanaged = 'kube-aggregator.kubernetes.io/automanaged';

/** A version of a group, as its API service describes it. */
export interface RegisteredVersion {
  /** Of the API service. */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
  /** Whether a user wrote the API service. */
  readonly isWritten: boolean;
  /** Whether it has a service. */
  readonly isRemote: boolean;
}

/** Returns the versions of all API services, those of the first groups first. Source: kube-aggregator pkg/apis/apiregistration/v1/helper SortedByGroupAndVersion. */
export function registeredVersions(store: Pick<Store, 'list'>): RegisteredVersion[] {
  const numberAt = (object: ValueMap, key: string): number => Number(valueAt(mapAt(object, 'spec'), key) ?? 0);
  const versions = store.list(apiServiceGvk).map(object => ({
    name: stringAt(object, 'metadata', 'name'),
    group: stringAt(object, 'spec', 'group'),
    version: stringAt(object, 'spec', 'version'),
    groupPriority: numberAt(object, 'groupPriorityMinimum'),
    versionPriority: numberAt(object, 'versionPriority'),
    isWritten: stringAt(object, 'metadata', 'labels', automanaged) === '',
    isRemote: mapAt(object, 'spec', 'service') !== undefined,
  }));
  return versions.sort((a, b) => b.groupPriority - a.groupPriority || (a.name < b.name ? -1 : 1));
}

/** Returns the groups of versions in order, each with its versions by priority. */
export function groupsOfVersions(versions: readonly RegisteredVersion[]): ServedGroup[] {
  const groups = new Map<string, RegisteredVersion[]>();
  for (const version of versions) groups.set(version.group, [...(groups.get(version.group) ?? []), version]);
  return [...groups].map(([group, all]) => ({ group, versions: all.sort(byVersionPriority).map(({ version }) => version) }));
}

/** Orders versions of one group. */
export function byVersionPriority(a: RegisteredVersion, b: RegisteredVersion): number {
  return b.versionPriority - a.versionPriority || compareVersions(a.version, b.version);
}

/** Returns groups and versions that definitions serve, established or not: they are listed for as long as they have an API service. */
export function registeredGroups(store: Pick<Store, 'list'>): ServedGroup[] {
  const groups = new Map<string, string[]>();
  for (const apiService of store.list(apiServiceGvk)) {
    if (stringAt(apiService, 'metadata', 'labels', automanaged) !== 'true') continue;
    const group = stringAt(apiService, 'spec', 'group');
    groups.set(group, [...(groups.get(group) ?? []), stringAt(apiService, 'spec', 'version')]);
  }
  return [...groups].map(([group, versions]) => ({ group, versions: versions.sort(compareVersions) }));
}

/** Returns the API service that a path belongs to, if it has a service. */
export function remoteApiServiceAt(store: Pick<Store, 'find'>, path: string): ValueMap | undefined {
  const [, group, version] = /^\/apis\/([^/]+)\/([^/]+)/.exec(path) ?? [];
  if (group === undefined || version === undefined) return undefined;
  const found = store.find(apiServiceGvk, '', `${version}.${group}`);
  return mapAt(found, 'spec', 'service') === undefined ? undefined : found;
}
