import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { at, type Place } from '../../../apiserver/registry/validation/place.js';
import { checkAtMost, checkCounts } from './replica-counts.js';

/** Source: apps/validation ValidateReplicaSetStatusUpdate. */
export const replicaSetStatus: readonly UpdateStep[] = ['changes', checkReplicaSetStatus];

function checkReplicaSetStatus(object: Place): void {
  const status = at(object, 'status');
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
