import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { addRequired, at, lengthOf, type Place } from '../../../apiserver/registry/validation/place.js';

/** Workload. */
export const workloadKind: KindDefinition = {
  validation: { create: checkGroups, update: ['metadata', 'changes', checkGroups] },
  notValidated: 'the validation of Workload objects is not reproduced, except for their metadata and the number of their groups',
};

/** Source: scheduling/validation; the later versions have templates in place of groups. */
function checkGroups(workload: Place): void {
  const groups = at(workload, 'spec', 'podGroups');
  if (workload.server.until('v1.35') && lengthOf(groups) === 0) addRequired(groups, 'must have at least one item');
}
