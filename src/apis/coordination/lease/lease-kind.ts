import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkNonNegative } from '../../../apiserver/registry/validation/rules.js';

/** Source: coordination/validation ValidateLease. */
const leaseRules: KindRules = {
  create: lease => checkLease(lease.child('spec')),
  update: ['changes', lease => checkLease(lease.child('spec'))],
};

function checkLease(spec: FieldPath): void {
  const [duration, transitions] = [spec.child('leaseDurationSeconds'), spec.child('leaseTransitions')];
  if (duration.isSet() && duration.number() <= 0n) duration.invalid('must be greater than 0');
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
