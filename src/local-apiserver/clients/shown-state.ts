import { storeKeyOf } from '../../encoding/compact-object.js';
import { stringAt, type ValueMap } from '../../go/value.js';
import { kindOf } from '../../kubernetes/storage.js';
import { addManagedFields } from '../bootstrap/owned-objects.js';
import type { Cluster } from '../cluster/cluster.js';
import { definitionsFirst, kindName } from '../store/collection-names.js';
import type { Store } from '../store/store.js';
import { isHousekeeping } from './housekeeping.js';

/** Objects of the state in a store, in addition to those that clients and the server itself write. */
export interface ShownState {
  /** Adds, replaces and removes objects, until exactly these are shown. */
  readonly show: (objects: readonly ValueMap[]) => Promise<void>;
  /** Reports whether an object of this kind and name is shown. */
  readonly isShown: (object: ValueMap) => boolean;
  /** Keeps what clients have written until now when changes are reverted later. */
  readonly keepWrites: () => void;
  /**
   * Reverts later changes by clients, except leases and events, which their owners rely on, and changes of existing objects between calls, which a controller would make again.
   */
  readonly takeBackWrites: () => void;
}

/** Initially shows no objects. `isCalling`: whether a call is being made. */
export function newShownState(cluster: Pick<Cluster, 'server' | 'store'>, now: () => Date, isCalling: () => boolean): ShownState {
  const { store } = cluster;
  const shown = new Map<string, { readonly source: ValueMap; readonly replaced: ValueMap | undefined }>();
  /** Objects that clients changed, as they were before. */
  const changed = new Map<string, { readonly name: ValueMap; readonly before: ValueMap | undefined }>();
  let isShowing = false;
  store.subscribe(({ collection, key, object, previous }) => {
    const name = object ?? previous;
    const id = `${collection} ${key}`;
    const isKept = !isCalling() && object !== undefined && previous !== undefined;
    if (!isShowing && !isKept && name !== undefined && !isHousekeeping(collection) && !changed.has(id))
      changed.set(id, { name, before: previous });
  });
  const ownWrite = (write: () => void): void => {
    isShowing = true;
    try {
      write();
    } finally {
      isShowing = false;
    }
  };
  return {
    show: async objects => {
      const wanted = new Map(definitionsFirst(objects).map(object => [idOf(object), object]));
      const unwanted = [...shown].filter(([id]) => !wanted.has(id));
      for (const [id, { source, replaced }] of unwanted.reverse()) {
        ownWrite(() => put(store, source, replaced));
        shown.delete(id);
      }
      for (const [id, source] of wanted) {
        const known = shown.get(id);
        if (known?.source === source) continue;
        const [owned] = await addManagedFields(cluster.server, [source], now());
        const replaced = known === undefined ? find(store, source) : known.replaced;
        ownWrite(() => put(store, source, owned));
        shown.set(id, { source, replaced });
      }
    },
    isShown: object => shown.has(idOf(object)),
    keepWrites: () => changed.clear(),
    takeBackWrites: () => {
      for (const { name, before } of [...changed.values()].reverse()) ownWrite(() => put(store, name, before));
      changed.clear();
    },
  };
}

function idOf(object: ValueMap): string {
  return `${kindName(kindOf(object))} ${storeKeyOf(object)}`;
}

function find(store: Store, object: ValueMap): ValueMap | undefined {
  return store.find(kindOf(object), stringAt(object, 'metadata', 'namespace'), stringAt(object, 'metadata', 'name'));
}

/** Stores `wanted` under the name of an object; removes what is there if it is undefined. */
function put(store: Store, name: ValueMap, wanted: ValueMap | undefined): void {
  const current = find(store, name);
  const version = stringAt(current, 'metadata', 'resourceVersion');
  if (wanted === undefined) {
    if (current !== undefined) store.remove(current, version);
  } else if (current === undefined) store.create(wanted);
  else store.update(wanted, version);
}
