import { copyOf, listAt, mapAt, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import { parseApiVersion } from '../../kubernetes/group-version.js';
import { ConversionError } from '../conversion/conversion-error.js';
import { customCodecFor } from './custom-storage.js';
import type { StoreContext } from './store-context.js';

/**
 * Updates the watch caches of all served versions of a definition after a write or removal, each in its own version: the conversion webhook
 * is called again for each. `stored` is the stored object; undefined for one that is not converted. In a call in another version the order
 * of these conversions and the call's own is not fixed: here they come last. Source: apiserver storage/cacher, storage/etcd3/watcher.go.
 */
export async function fillWatchCaches(stored: ValueMap | undefined, context: StoreContext): Promise<void> {
  const { custom, state, serving } = context;
  if (custom === undefined || stored === undefined || !state.options.watchCache) return;
  // The caches of a server follow the changes of its storage.
  if (serving?.cachesSettled !== undefined) return serving.cachesSettled(context);
  const { definition, convert } = custom;
  if (stringAt(definition, 'spec', 'conversion', 'strategy') !== 'Webhook') return;
  const own = parseApiVersion(stringAt(stored, 'apiVersion'));
  const object = copyOf(stored);
  // Set after decoding.
  mapAt(object, 'metadata')?.delete('resourceVersion');
  for (const entry of listAt(definition, 'spec', 'versions')) {
    const version = stringAt(entry, 'name');
    if (valueAt(entry, 'served') !== true || version === own?.version) continue;
    try {
      await convert(copyOf(object), `${own?.group}/${version}`);
    } catch (error) {
      // A cache that stays empty does not affect the call.
      if (!(error instanceof ConversionError)) throw error;
    }
  }
}

/** Returns a custom resource as stored, in any version; undefined for other kinds. */
export function objectInStorage(shown: ValueMap, { custom, endpoint, storage, server }: StoreContext): ValueMap | undefined {
  const found = storage.find(endpoint.resource.kind, stringAt(shown, 'metadata', 'namespace'), stringAt(shown, 'metadata', 'name'));
  if (custom === undefined || found === undefined) return undefined;
  const object = copyOf(found);
  customCodecFor(server, stringAt(object, 'apiVersion'), custom).coerce(object, 'storage');
  return object;
}

/** Reports whether lists of a resource can be answered by a watch cache. Source: kubernetes pkg/kubeapiserver/default_storage_factory_builder.go DefaultWatchCacheSizes. */
export function hasWatchCache({ endpoint, state }: StoreContext): boolean {
  const { group, resource } = endpoint.resource;
  const isEvents = resource === 'events' && (group === '' || group === 'events.k8s.io');
  return state.options.watchCache && !isEvents;
}

/**
 * Reports whether the watch cache, which answers lists and watches, has a stored object. Up to v1.36 it has none of a kind other than the served
 * one, which only an object from before its definition was made again can have. Source: client-go
 * tools/cache/reflector.go expectedGVK, apiserver storage/cacher/cacher.go.
 */
export function isInWatchCache(stored: ValueMap, { custom, endpoint, server, state }: StoreContext): boolean {
  if (custom === undefined || state.live === undefined || !state.options.watchCache || server.since('v1.37')) return true;
  return stringAt(stored, 'kind') === endpoint.resource.kind.kind;
}
