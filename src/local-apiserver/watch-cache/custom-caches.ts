import type { CallContext, StorageCall } from '../../apiserver/call/call-context.js';
import type { WatchCache } from '../../apiserver/call/watch-cache.js';
import { contextIn } from '../../apiserver/instances.js';
import type { ApiObject } from '../../apiserver/objects/api-object.js';
import { CorruptObject, newCorruptObjects } from '../../apiserver/storage/corrupt-object.js';
import { decodeInRequestVersion } from '../../apiserver/storage/stored-object.js';
import { writeValue } from '../../go/json/write.js';
import { listAt, mapAt, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { versionsOfDefinition } from '../../kubernetes/definition-resources.js';
import type { Effects } from '../../kubernetes/effects.js';
import { printKind } from '../../kubernetes/group-version.js';
import type { StatusError } from '../../kubernetes/status.js';
import { tooManyRequests } from '../../kubernetes/status-errors.js';
import { collectionOfDefinition, kindName } from '../store/collection-names.js';
import type { Store } from '../store/store.js';
import { newVersionCache, type VersionCache } from './version-cache.js';

/** What caches work with. */
export interface CachesWorld {
  readonly store: Store;
  readonly state: () => ClusterState;
  readonly effects: () => Effects;
}

/** Watch caches of custom resources. */
export interface CustomCaches {
  /** Creates the caches of a definition, if it has none: the first request for its resource does. */
  readonly begin: (definition: ValueMap) => void;
  /** Returns the cache for a call, as fresh as it can be; the 429 while it cannot be filled; undefined where objects need no conversion by a webhook. */
  readonly cacheFor: (context: StorageCall) => Promise<WatchCache | StatusError | undefined>;
  /** Resolves when the caches have followed the changes of a resource as far as they can. */
  readonly settled: (context: StorageCall) => Promise<void>;
}

interface Caches {
  readonly part: string;
  readonly collection: string;
  readonly versions: ReadonlyMap<string, VersionCache>;
}

/** Creates the caches of custom resources. Source: apiextensions-apiserver pkg/apiserver/customresource_handler.go getOrCreateServingInfoFor. */
export function newCustomCaches(world: CachesWorld): CustomCaches {
  const { store } = world;
  const known = new Map<string, Caches>();
  store.subscribe(change => {
    const { collection, object, previous } = change;
    if (collection === definitions) {
      const uid = stringAt(previous, 'metadata', 'uid');
      const caches = known.get(uid);
      if (caches === undefined || (object !== undefined && cachedPartOf(object) === caches.part)) return;
      known.delete(uid);
      for (const cache of caches.versions.values()) cache.stop();
      return;
    }
    for (const caches of known.values())
      if (caches.collection === collection) for (const cache of caches.versions.values()) cache.add(change);
  });
  const cachesOf = (definition: ValueMap): Caches => {
    const uid = stringAt(definition, 'metadata', 'uid');
    const caches = known.get(uid) ?? newCaches(definition, world);
    known.set(uid, caches);
    return caches;
  };
  return {
    begin: definition => {
      if (!usesWebhook(definition)) return;
      for (const cache of cachesOf(definition).versions.values()) void cache.refresh();
    },
    cacheFor: async context => {
      const { definition, endpoint, state } = context;
      if (definition === undefined || !state.options.watchCache) return undefined;
      if (!usesWebhook(definition)) return findLostVersion(definition, context, world);
      const cache = cachesOf(definition).versions.get(endpoint.resource.version);
      if (cache === undefined) return undefined;
      await cache.refresh();
      const problem = cache.problem();
      return problem === undefined ? cache : tooManyRequests(problem.message, retryAfter(problem.sinceMs));
    },
    settled: async ({ definition }) => {
      if (definition === undefined || !usesWebhook(definition)) return;
      await Promise.all([...cachesOf(definition).versions.values()].map(cache => cache.refresh()));
    },
  };
}

const definitions = kindName({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' });

/** Returns what decides about the storage of a definition: it is replaced when that changes. */
export function cachedPartOf(definition: ValueMap): string {
  return [mapAt(definition, 'spec'), mapAt(definition, 'status', 'acceptedNames')].map(part => writeValue(part ?? null, 'kept')).join('');
}

function usesWebhook(definition: ValueMap): boolean {
  return stringAt(definition, 'spec', 'conversion', 'strategy') === 'Webhook';
}

/** Source: apiserver storage/cacher/util.go calculateRetryAfterForUnreadyCache. */
function retryAfter(sinceMs: number): number {
  return Math.trunc(Math.min(30, Math.max(1, Math.exp((0.06 * sinceMs) / 1000))));
}

function newCaches(definition: ValueMap, world: CachesWorld): Caches {
  const versions = listAt(definition, 'spec', 'versions').filter(v => valueAt(v, 'served') === true || valueAt(v, 'storage') === true);
  return {
    part: cachedPartOf(definition),
    collection: collectionOfDefinition(definition),
    versions: new Map(versions.map(version => [stringAt(version, 'name'), newCache(definition, stringAt(version, 'name'), world)])),
  };
}

function newCache(definition: ValueMap, version: string, { store, state, effects }: CachesWorld): VersionCache {
  const context = (): CallContext => contextIn('', definition, state(), { effects }, version);
  const kind = { group: stringAt(definition, 'spec', 'group'), kind: stringAt(definition, 'spec', 'names', 'kind') };
  return newVersionCache({
    list: () => store.list(kind),
    revision: store.revision,
    decode: async stored => decodeInRequestVersion(stored, context()),
    decodeAll: stored => decodeAll(stored, context()),
    now: Date.now,
  });
}

/** Decodes the objects of a list one by one. Throws what the reflector of a cache says of a failure. */
async function decodeAll(stored: readonly ValueMap[], context: StorageCall): Promise<readonly ApiObject[]> {
  const { server, codec } = context;
  const what = server.since('v1.37') ? '<unspecified>' : printKind(codec.kind);
  const corrupt = newCorruptObjects(context);
  const objects: ApiObject[] = [];
  try {
    for (const object of stored) {
      const decoded = await decodeOrMarkCorrupt(object, context);
      if (!(decoded instanceof CorruptObject)) objects.push(decoded);
      else if (!corrupt.add(decoded)) break;
    }
    corrupt.check();
  } catch (error) {
    if (error instanceof Error) throw new Error(`failed to list ${what}: ${error.message}`);
    throw error;
  }
  return objects;
}

async function decodeOrMarkCorrupt(stored: ValueMap, context: StorageCall): Promise<ApiObject | CorruptObject> {
  try {
    return await decodeInRequestVersion(stored, context);
  } catch (error) {
    if (error instanceof CorruptObject) return error;
    throw error;
  }
}

/** Returns the 429 for a resource with an object of a version that its definition does not have any more: no cache can be filled. */
async function findLostVersion(definition: ValueMap, context: StorageCall, { store }: CachesWorld): Promise<StatusError | undefined> {
  const { endpoint } = context;
  const known = new Set(versionsOfDefinition(definition).map(({ group, version }) => `${group}/${version}`));
  const lost = store.list(endpoint.resource.kind).filter(object => !known.has(stringAt(object, 'apiVersion')));
  if (lost.length === 0) return undefined;
  try {
    await decodeAll(lost, { ...context, info: { ...context.info, namespace: '' } });
    return undefined;
  } catch (error) {
    return tooManyRequests(`storage is (re)initializing: ${error instanceof Error ? error.message : error}`, 1);
  }
}
