import { stringAt, type ValueMap } from '../../../go/value.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import type { WantedDefinition } from '../../../kubernetes/object-source.js';
import { kindOf } from '../../../kubernetes/storage.js';

/** Adds the definitions of custom kinds, read from the state's cluster; a state of files already contains them. */
export async function readDefinitionsInto(state: ClusterState, wanted: readonly WantedDefinition[]): Promise<ClusterState> {
  if (state.source === undefined) return state;
  const found = await state.source.definitionsOf(wanted);
  const objects = withoutReplaced(state.objects, found);
  return objects.length === state.objects.length ? state : { ...state, objects };
}

/** Appends objects whose kind and name do not exist yet. */
export function withoutReplaced(objects: readonly ValueMap[], others: readonly ValueMap[]): readonly ValueMap[] {
  const taken = new Set(objects.map(identity));
  return [...objects, ...others.filter(object => !taken.has(identity(object)))];
}

function identity(object: ValueMap): string {
  const { group, kind } = kindOf(object);
  return [group, kind, stringAt(object, 'metadata', 'namespace'), stringAt(object, 'metadata', 'name')].join('/');
}
