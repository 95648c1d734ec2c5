import type { StoreChange } from '../store/change.js';
import { collectionOfDefinition, kindName } from '../store/collection-names.js';
import type { Store } from '../store/store.js';
import { cachedPartOf } from '../watch-cache/custom-caches.js';

const definitions = kindName({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' });

/** Time for which requests may still use the storage that was replaced. */
const drainMs = 1000;

/**
 * Lets watches of custom resources start again at the first request after a change of their definition, which gives them another watch cache.
 * Source: apiextensions-apiserver pkg/apiserver/customresource_handler.go updateCustomResourceDefinition.
 */
export function endReplacedWatchWindows(store: Store): void {
  store.subscribe(change => {
    const collection = replacedCollection(change);
    if (collection !== undefined) store.log.endWindow(collection);
  });
}

/**
 * Calls `ended` when the storage of a collection is torn down, because its definition changed in more than its metadata and conditions, or was
 * removed: that ends its watches, without an error. Returns a function that stops waiting. Source: apiextensions-apiserver
 * pkg/apiserver/customresource_handler.go tearDown.
 */
export function onStorageEnd(store: Store, collection: string, ended: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const unsubscribe = store.subscribe(change => {
    if (replacedCollection(change) === collection) timer ??= setTimeout(ended, drainMs).unref();
  });
  return () => {
    unsubscribe();
    clearTimeout(timer);
  };
}

/** Returns the collection that gets another storage by a change of its definition; undefined for other changes. */
function replacedCollection({ collection, object, previous }: StoreChange): string | undefined {
  if (collection !== definitions || previous === undefined) return undefined;
  if (object !== undefined && cachedPartOf(object) === cachedPartOf(previous)) return undefined;
  return collectionOfDefinition(previous);
}
