import { stringAt, toValue, type ValueMap } from '../../go/value.js';
import type { Effects } from '../../kubernetes/effects.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import { kindName } from '../store/collection-names.js';
import type { Store } from '../store/store.js';

const namespaceKind = { group: '', kind: 'Namespace' };
const namespaces = kindName(namespaceKind);
const accountKind = { group: '', kind: 'ServiceAccount' };

/** Creates the service account `default` in every namespace, as a cluster's controllers do: pods are rejected without it. */
export function followNamespaces(store: Store, effects: () => Effects): void {
  for (const namespace of store.list(namespaceKind)) addAccount(namespace, store, effects());
  store.subscribe(({ collection, object, previous }) => {
    if (collection === namespaces && object !== undefined && previous === undefined) addAccount(object, store, effects());
  });
}

function addAccount(namespace: ValueMap, store: Store, { uid, now }: Effects): void {
  const name = stringAt(namespace, 'metadata', 'name');
  if (store.find(accountKind, name, 'default') !== undefined) return;
  const metadata = { name: 'default', namespace: name, uid: uid(), creationTimestamp: timestampOf(now()) };
  store.create(toValue({ kind: 'ServiceAccount', apiVersion: 'v1', metadata }) as ValueMap);
}
