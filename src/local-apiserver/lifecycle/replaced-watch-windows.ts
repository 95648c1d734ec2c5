import { collectionOfDefinition, kindName } from '../store/collection-names.js';
import type { Store } from '../store/store.js';
import { cachedPartOf } from '../watch-cache/custom-caches.js';

const definitions = kindName({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' });

/**
 * Lets watches of custom resources start again at the first request after a change of their definition, which gives them another watch cache.
 * Source: apiextensions-apiserver pkg/apiserver/customresource_handler.go updateCustomResourceDefinition.
 */
export function endReplacedWatchWindows(store: Store): void {
  store.subscribe(({ collection, object, previous }) => {
    if (collection !== definitions || previous === undefined) return;
    if (object !== undefined && cachedPartOf(object) === cachedPartOf(previous)) return;
    store.log.endWindow(collectionOfDefinition(previous));
  });
}
