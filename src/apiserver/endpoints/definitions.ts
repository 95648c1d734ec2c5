import { stringAt, type ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { isDefinition } from '../../kubernetes/definition-resources.js';
import { remembered } from '../../kubernetes/remembered.js';
import type { Resource } from '../../kubernetes/resource-table.js';

/** The CustomResourceDefinitions among what exists. */
export function definitionsOf(state: ClusterState): readonly ValueMap[] {
  return definitionsIn(state.objects);
}

/** Many calls are made in one state: its objects are gone through once. */
const definitionsIn = remembered((objects: readonly ValueMap[]): readonly ValueMap[] => objects.filter(isDefinition));

/** The definition behind a resource; undefined for built-in ones. */
export function definitionOf({ group, resource, custom }: Resource, state: ClusterState): ValueMap | undefined {
  if (!custom) return undefined;
  return definitionsOf(state).find(d => stringAt(d, 'spec', 'group') === group && stringAt(d, 'spec', 'names', 'plural') === resource);
}
