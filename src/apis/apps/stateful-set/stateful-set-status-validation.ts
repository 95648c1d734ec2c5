import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { at } from '../../../apiserver/registry/validation/place.js';
import { checkAtMost, checkCollisions, checkCounts } from '../replica-counts.js';

/** Source: apps/validation ValidateStatefulSetStatusUpdate. */
export const statefulSetStatus: readonly UpdateStep[] = [
  object => {
    const status = at(object, 'status');
    checkCounts(status, [
      'replicas',
      'readyReplicas',
      'currentReplicas',
      'updatedReplicas',
      'availableReplicas',
      'observedGeneration',
      'collisionCount',
    ]);
    checkAtMost(status, ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'], 'status.readyReplicas');
  },
  'changes',
  checkCollisions,
];
