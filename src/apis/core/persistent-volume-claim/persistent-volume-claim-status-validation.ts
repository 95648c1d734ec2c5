import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import {
  addInvalid,
  addProblems,
  addRequired,
  addUnsupported,
  at,
  entriesAt,
  lengthOf,
  type Place,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { labelKeyProblems } from '../../../kubernetes/name-rules.js';
import { quantitySign, quantityValue } from '../../../kubernetes/quantity.js';
import { checkResourceAmount } from '../pod/validation/container-resources.js';
import { checkHasVersion } from '../required-resource-version.js';

/** Source: core/validation ValidatePersistentVolumeClaimStatusUpdate. */
export const claimStatus: readonly UpdateStep[] = ['changes', checkHasVersion, checkClaimStatus];

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

/** Validates a non-negative amount, with the message for integers. Source: validateBasicResource. */
function checkBasicAmount(amount: Place): void {
  if (textOf(amount) !== '' && quantitySign(textOf(amount)) < 0)
    addInvalid(amount, 'must be a valid resource quantity', quantityValue(textOf(amount)));
}

/** Source: validatePersistentVolumeClaimResourceKey. */
function checkClaimResource(place: Place, name: string): void {
  const problems = labelKeyProblems(place.server, name);
  addProblems(place, problems, name);
  const isNative = !name.includes('/') || name.includes('kubernetes.io/');
  if (problems.length === 0 && isNative && name !== 'storage') addUnsupported(place, ['storage'], name);
}
