import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkAtMost, checkCounts } from './replica-counts.js';

/** Source: apps/validation ValidateReplicaSetStatusUpdate. */
export const replicaSetStatus: readonly UpdateStep[] = ['changes', checkReplicaSetStatus];

function checkReplicaSetStatus(object: FieldPath): void {
  const status = object.child('status');
  checkCounts(status, [
    'replicas',
    'fullyLabeledReplicas',
    'readyReplicas',
    'availableReplicas',
    'observedGeneration',
    'terminatingReplicas',
  ]);
  checkAtMost(status, ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'], 'readyReplicas');
}
