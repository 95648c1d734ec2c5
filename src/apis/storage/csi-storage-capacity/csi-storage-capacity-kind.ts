import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
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
  warnings: capacity => labelSelectorWarnings(capacity.child('nodeTopology')),
};

function checkCapacity(capacity: FieldPath): void {
  checkLabelSelector(capacity.child('nodeTopology'));
  const storageClass = capacity.child('storageClassName');
  if (storageClass.text() === '' && capacity.server.since('v1.38')) storageClass.required();
  else checkName(storageClass, dns1123SubdomainProblems);
  checkAmountSign(capacity.child('capacity'));
}

/** CSIStorageCapacity. */
export const csiStorageCapacityKind: KindDefinition = { validation: csiStorageCapacityRules, allowsUnconditionalUpdate: false };
