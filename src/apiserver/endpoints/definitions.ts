import { stringAt, type ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { isDefinition } from '../../kubernetes/definition-resources.js';
import type { Resource } from '../../kubernetes/resource-table.js';

const definitionKind = { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' };

/** The CustomResourceDefinitions among what exists. */
export function definitionsOf(state: ClusterState): ValueMap[] {
  return (state.live?.list(definitionKind) ?? state.objects).filter(isDefinition);
}

/** The definition behind a resource; undefined for built-in ones. */
export function definitionOf({ group, resource, custom }: Resource, state: ClusterState): ValueMap | undefined {
  if (!custom) return undefined;
  return definitionsOf(state).find(d => stringAt(d, 'spec', 'group') === group && stringAt(d, 'spec', 'names', 'plural') === resource);
}
