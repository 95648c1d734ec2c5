import type { ClusterState } from '../kubernetes/api-call.js';
import { isDefinition } from '../kubernetes/definition-resources.js';
import type { ValueMap } from '../kubernetes/value.js';

/** The CustomResourceDefinitions among what exists. */
export function definitionsOf(state: ClusterState): ValueMap[] {
  return state.objects.filter(isDefinition);
}
