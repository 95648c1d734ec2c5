import { copyOf, ensureMap, listAt, stringAt, type ValueMap } from '../../go/value.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import type { Store } from '../store/store.js';

/** Deletes the objects of a definition; those with finalizers are only marked. Returns the number of remaining objects. */
export function removeInstances(definition: ValueMap, store: Store, now: () => Date): number {
  const kind = { group: stringAt(definition, 'spec', 'group'), kind: stringAt(definition, 'spec', 'names', 'kind') };
  for (const object of store.list(kind)) {
    const version = stringAt(object, 'metadata', 'resourceVersion');
    if (listAt(object, 'metadata', 'finalizers').length === 0) {
      store.remove(object, version);
      continue;
    }
    if (stringAt(object, 'metadata', 'deletionTimestamp') !== '') continue;
    const marked = copyOf(object);
    const metadata = ensureMap(marked, 'metadata');
    metadata.set('deletionTimestamp', timestampOf(now()));
    metadata.set('deletionGracePeriodSeconds', 0n);
    const generation = metadata.get('generation');
    if (typeof generation === 'bigint') metadata.set('generation', generation + 1n);
    store.update(marked, version);
  }
  return store.list(kind).length;
}
