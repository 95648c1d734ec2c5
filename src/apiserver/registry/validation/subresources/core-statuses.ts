import { labelKeyProblems } from '../../../../kubernetes/name-rules.js';
import { quantitySign, quantityValue } from '../../../../kubernetes/quantity.js';
import type { UpdateStep } from '../kind-rules.js';
import { checkQuotaAmounts } from '../kinds/cluster.js';
import {
  addInvalid,
  addProblems,
  addRequired,
  addUnsupported,
  at,
  entriesAt,
  indexed,
  lengthOf,
  type Place,
  textAt,
  textOf,
} from '../place.js';
import { checkResourceAmount } from '../pods/container-resources.js';

/** Source: core/validation ValidateNamespaceStatusUpdate. */
export const namespaceStatus: readonly UpdateStep[] = [
  'changes',
  namespace => {
    const going = textAt(namespace, 'metadata', 'deletionTimestamp') !== '';
    const phase: Place = { ...at(namespace, 'status', 'phase'), path: 'status.Phase' };
    const wanted = going ? 'Terminating' : 'Active';
    if (textOf(phase) !== wanted) addInvalid(phase, `may only be '${wanted}' if \`deletionTimestamp\` is ${going ? 'not ' : ''}empty`);
  },
];

/** Source: core/validation ValidateNamespaceFinalizeUpdate. */
export const namespaceFinalize: readonly UpdateStep[] = [
  'changes',
  namespace => {
    for (const finalizer of indexed(at(namespace, 'spec', 'finalizers'))) {
      const name = textOf(finalizer);
      addProblems(finalizer, labelKeyProblems(name));
      if (!name.includes('/') && !['kubernetes', 'orphan', 'foregroundDeletion'].includes(name))
        addInvalid(finalizer, 'name is neither a standard finalizer name nor is it fully qualified', name);
    }
  },
];

/** Source: core/validation ValidateResourceQuotaStatusUpdate. */
export const resourceQuotaStatus: readonly UpdateStep[] = [
  'changes',
  checkHasVersion,
  quota => {
    checkQuotaAmounts(at(quota, 'status', 'hard'));
    checkQuotaAmounts(at(quota, 'status', 'used'));
  },
];

/** Source: core/validation ValidatePersistentVolumeStatusUpdate. */
export const persistentVolumeStatus: readonly UpdateStep[] = ['changes', checkHasVersion];

/** Source: core/validation ValidatePersistentVolumeClaimStatusUpdate. */
export const claimStatus: readonly UpdateStep[] = ['changes', checkHasVersion, checkClaimStatus];

/** The storage needs to know which version a status replaces. */
function checkHasVersion(object: Place): void {
  if (textAt(object, 'metadata', 'resourceVersion') === '') addRequired({ ...object, path: 'resourceVersion' });
}

const resizeStates = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
].sort();

function checkClaimStatus(claim: Place): void {
  if (lengthOf(at(claim, 'spec', 'accessModes')) === 0) addRequired({ ...claim, path: 'Spec.accessModes' });
  for (const [, amount] of entriesAt(claim, 'status', 'capacity')) checkBasicAmount(amount);
  const states = at(claim, 'status', 'allocatedResourceStatuses');
  for (const [name, state] of entriesAt(claim, 'status', 'allocatedResourceStatuses')) {
    checkClaimResource(states, name);
    if (!resizeStates.includes(textOf(state))) addUnsupported(states, resizeStates, name);
  }
  const amounts = at(claim, 'status', 'allocatedResources');
  for (const [name, amount] of entriesAt(claim, 'status', 'allocatedResources')) {
    const before = claim.errors.length;
    checkClaimResource(amounts, name);
    if (claim.errors.length === before) checkBasicAmount(amount);
    if (claim.errors.length === before) checkResourceAmount(amount, 'storage');
  }
}

/** No negative amount, in the words for whole ones. Source: validateBasicResource. */
function checkBasicAmount(amount: Place): void {
  if (textOf(amount) !== '' && quantitySign(textOf(amount)) < 0)
    addInvalid(amount, 'must be a valid resource quantity', quantityValue(textOf(amount)));
}

/** Source: validatePersistentVolumeClaimResourceKey. */
function checkClaimResource(place: Place, name: string): void {
  const problems = labelKeyProblems(name);
  addProblems(place, problems, name);
  const isNative = !name.includes('/') || name.includes('kubernetes.io/');
  if (problems.length === 0 && isNative && name !== 'storage') addUnsupported(place, ['storage'], name);
}
