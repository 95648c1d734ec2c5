import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkMetaConditions } from '../../../apiserver/registry/validation/meta-conditions.js';
import { checkCounts } from '../../core/replication-controller/replica-counts.js';

/**
 * Validation of the status: the kind's own list covers only the status. Source: policy/validation ValidatePodDisruptionBudgetStatusUpdate.
 */
export const disruptionBudgetStatus: readonly UpdateStep[] = [
  budget => {
    const status = budget.child('status');
    checkMetaConditions(status.child('conditions'));
    checkCounts(status, ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods']);
  },
];
