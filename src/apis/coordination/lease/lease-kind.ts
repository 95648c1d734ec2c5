import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import { addInvalid, at, isSet, numberOf } from '../../../apiserver/registry/validation/place.js';
import { checkNonNegative } from '../../../apiserver/registry/validation/rules.js';

/** Source: coordination/validation ValidateLease. */
const leaseRules: KindRules = {
  create: lease => checkLease(at(lease, 'spec')),
  update: ['changes', lease => checkLease(at(lease, 'spec'))],
};

function checkLease(spec: Place): void {
  const [duration, transitions] = [at(spec, 'leaseDurationSeconds'), at(spec, 'leaseTransitions')];
  if (isSet(duration) && numberOf(duration) <= 0n) addInvalid(duration, 'must be greater than 0');
  checkNonNegative(transitions);
}

/** Lease. */
export const leaseKind: KindDefinition = {
  validation: leaseRules,
  gatedFields: [
    { gates: ['CoordinatedLeaderElection'], paths: ['spec.strategy'] },
    { gates: ['CoordinatedLeaderElection'], paths: ['spec.preferredHolder'] },
  ],
  allowsCreateOnUpdate: true,
  allowsUnconditionalUpdate: false,
  anyFinalizers: true,
};
