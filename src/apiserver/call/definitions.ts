import { stringAt, type ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { hasTrueCondition, isDefinition, isEstablished } from '../../kubernetes/definition-resources.js';
import { memoize } from '../../kubernetes/memoize.js';
import type { Resource } from '../../kubernetes/resource-table.js';

const definitionKind = { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' };

/** Returns the CustomResourceDefinitions of the state; of a live one, those that are served. Source: apiextensions-apiserver pkg/apiserver/customresource_handler.go. */
export function definitionsOf(state: ClusterState): readonly ValueMap[] {
  return state.live === undefined ? definitionsIn(state.objects) : state.live.list(definitionKind).filter(isDefinition).filter(isServed);
}

/** Definitions with accepted names are served before they are established, which makes them known to clients. */
function isServed(definition: ValueMap): boolean {
  return hasTrueCondition(definition, 'NamesAccepted') || isEstablished(definition);
}

/** Returns the CustomResourceDefinitions among objects; memoized, because many calls have the same ones. */
export const definitionsIn = memoize((objects: readonly ValueMap[]): readonly ValueMap[] => objects.filter(isDefinition));

/** Returns the definition of a resource; undefined for built-in ones. */
export function definitionOf({ group, resource, custom }: Resource, state: ClusterState): ValueMap | undefined {
  if (!custom) return undefined;
  return definitionsOf(state).find(d => stringAt(d, 'spec', 'group') === group && stringAt(d, 'spec', 'names', 'plural') === resource);
}
