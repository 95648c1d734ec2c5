import { createHash } from 'node:crypto';
import { storageVersion } from '../../apiserver/storage/custom-storage.js';
import { ownMember } from '../../go/own-members.js';
import { listAt, type ValueMap, valueAt } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { hasTrueCondition } from '../../kubernetes/definition-resources.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import { memoize } from '../../kubernetes/memoize.js';
import type { Resource, Subresource } from '../../kubernetes/resource-table.js';
import { readJsonData } from '../recorded/data-file.js';
import type { Discovered } from './served-groups.js';

/** A discovery document, with the kind of its protobuf form. */
export interface DiscoveryDocument {
  readonly json: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
}

const metaKind = (kind: string, version = 'v1') => ({ group: '', version, kind });

/** `/api`, with the address of the server. */
export function apiVersions(address: string): DiscoveryDocument {
  const cidrs = [{ clientCIDR: '0.0.0.0/0', serverAddress: address }];
  return {
    json: JSON.stringify({ kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: cidrs }),
    kind: metaKind('APIVersions', ''),
  };
}

/** `/apis`. */
export function groupList({ groups }: Pick<Discovered, 'groups'>): DiscoveryDocument {
  const named = groups.filter(({ group }) => group !== '').map(groupOf);
  return { json: JSON.stringify({ kind: 'APIGroupList', apiVersion: 'v1', groups: named }), kind: metaKind('APIGroupList') };
}

/** `/apis/GROUP`; undefined when the group is not served. */
export function groupDocument({ groups }: Pick<Discovered, 'groups'>, name: string): DiscoveryDocument | undefined {
  const group = groups.find(g => g.group === name && name !== '');
  if (group === undefined) return undefined;
  return { json: JSON.stringify({ kind: 'APIGroup', apiVersion: 'v1', ...groupOf(group) }), kind: metaKind('APIGroup') };
}

function groupOf({ group, versions }: { readonly group: string; readonly versions: readonly string[] }): object {
  const all = versions.map(version => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions: all, preferredVersion: all[0] };
}

/** `/api/v1` and `/apis/GROUP/VERSION`; undefined when the version is not served. */
export function resourceList({ groups, resourcesOf, server }: Discovered, group: string, version: string): DiscoveryDocument | undefined {
  if (groups.find(g => g.group === group)?.versions.includes(version) !== true) return undefined;
  const resources = resourcesOf(group, version).flatMap(({ resource, definition }) => [
    mainResource(server, resource, definition),
    ...resource.subresources.map(subresource => subresourceOf(subresource, resource)),
  ]);
  const list = {
    kind: 'APIResourceList',
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: apiVersionOf({ group, version }),
    resources,
  };
  return { json: JSON.stringify(list), kind: metaKind('APIResourceList', group === '' ? '' : 'v1') };
}

const customVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** Verbs of a resource whose definition is being deleted. */
const verbsOfTerminating = ['delete', 'deletecollection', 'get', 'list', 'watch'];

/** Returns the verbs in the order of discovery, which differs for custom resources. */
export function verbsOf({ verbs, custom }: Resource, definition: ValueMap | undefined): readonly string[] {
  if (definition !== undefined && hasTrueCondition(definition, 'Terminating')) return verbsOfTerminating;
  return custom ? customVerbs : verbs;
}

function mainResource(server: ApiServer, resource: Resource, definition: ValueMap | undefined): object {
  const { shortNames, categories } = resource;
  const hash = storageVersionHash(server, resource, definition);
  return {
    name: resource.resource,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    ...foreignVersion(resource.kind, resource),
    kind: resource.kind.kind,
    verbs: verbsOf(resource, definition),
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(hash === undefined ? {} : { storageVersionHash: hash }),
  };
}

function subresourceOf({ name, kind, verbs }: Subresource, resource: Resource): object {
  return {
    name: `${resource.resource}/${name}`,
    singularName: '',
    namespaced: resource.namespaced,
    ...foreignVersion(kind, resource),
    kind: kind.kind,
    verbs,
  };
}

/** Group and version of a kind, if they differ from the resource's. */
function foreignVersion(kind: Subresource['kind'], { group, version }: Resource): object {
  if (kind.group === group && kind.version === version) return {};
  return { ...(kind.group === '' ? {} : { group: kind.group }), version: kind.version };
}

/** Hashes by `group/version/resource`. */
const recordedHashes = memoize((server: ApiServer) =>
  readJsonData<Readonly<Record<string, string>>>(server, 'storage-version-hashes.json'),
);

/**
 * Returns the hash of a resource's storage version; undefined for resources that are not stored. Source: apiserver
 * endpoints/discovery/storageversionhash.go.
 */
function storageVersionHash(
  server: ApiServer,
  { group, version, resource, kind }: Resource,
  definition: ValueMap | undefined,
): string | undefined {
  if (definition !== undefined && !isStorageServed(definition)) return undefined;
  if (definition !== undefined) return hashOf(`${group}/${storageVersion(definition)}/${kind.kind}`);
  return ownMember(recordedHashes(server), `${group}/${version}/${resource}`);
}

function isStorageServed(definition: ValueMap): boolean {
  const stored = listAt(definition, 'spec', 'versions').find(version => valueAt(version, 'storage') === true);
  return valueAt(stored, 'served') === true;
}

function hashOf(storage: string): string {
  return createHash('sha256').update(storage).digest().subarray(0, 8).toString('base64');
}
