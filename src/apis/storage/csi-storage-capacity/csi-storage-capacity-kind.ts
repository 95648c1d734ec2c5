import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import { addRequired, at, textOf } from '../../../apiserver/registry/validation/place.js';
import { checkLabelSelector, checkName } from '../../../apiserver/registry/validation/rules.js';
import { dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';
import { checkAmountSign } from '../../core/pod/validation/container-resources.js';
import { labelSelectorWarnings } from '../../core/pod/validation/node-labels.js';

/** Source: storage/validation ValidateCSIStorageCapacity. */
const csiStorageCapacityRules: KindRules = {
  create: checkCapacity,
  update: [
    'metadata',
    checkCapacity,
    'changes',
    (capacity, old) => {
      for (const name of ['nodeTopology', 'storageClassName'])
        checkImmutable(capacity, old, { type: 'storage/v1.CSIStorageCapacity', name });
    },
  ],
  warnings: capacity => labelSelectorWarnings(at(capacity, 'nodeTopology')),
};

function checkCapacity(capacity: Place): void {
  checkLabelSelector(at(capacity, 'nodeTopology'));
  const storageClass = at(capacity, 'storageClassName');
  if (textOf(storageClass) === '' && capacity.server.since('v1.38')) addRequired(storageClass);
  else checkName(storageClass, dns1123SubdomainProblems);
  checkAmountSign(at(capacity, 'capacity'));
}

/** CSIStorageCapacity. */
export const csiStorageCapacityKind: KindDefinition = { validation: csiStorageCapacityRules, allowsUnconditionalUpdate: false };
