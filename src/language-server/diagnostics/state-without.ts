import { stringAt, type ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { memoize } from '../../kubernetes/memoize.js';
import { kindOf } from '../../kubernetes/storage.js';

/** Returns the state without an object, which is created then: the state has the version of the file that is being edited, or a copy of it. */
export function stateWithout(state: ClusterState, object: ValueMap): ClusterState {
  const key = objectKeyOf(object);
  if (!keysIn(state.objects).has(key)) return state;
  return { ...state, objects: without(state.objects)(key) };
}

const keysIn = memoize((objects: readonly ValueMap[]) => new Set(objects.map(objectKeyOf)));

/** Caches of the engine are kept for each list of objects, so that there is one list for each key. */
const without = memoize((objects: readonly ValueMap[]) => {
  const lists = new Map<string, readonly ValueMap[]>();
  return (key: string): readonly ValueMap[] => {
    const list = lists.get(key) ?? objects.filter(object => objectKeyOf(object) !== key);
    if (!lists.has(key)) lists.set(key, list);
    return list;
  };
});

/** Identity of an object in a cluster. An object without a namespace is in `default`, which does not matter for cluster-scoped ones. */
function objectKeyOf(object: ValueMap): string {
  const { group, kind } = kindOf(object);
  const namespace = stringAt(object, 'metadata', 'namespace');
  return [group, kind, namespace === '' ? 'default' : namespace, stringAt(object, 'metadata', 'name')].join('/');
}
