import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { at } from '../../../apiserver/registry/validation/place.js';
import { checkAtMost, checkCollisions, checkCounts } from '../replica-counts.js';

/** Source: apps/validation ValidateDeploymentStatusUpdate. */
export const deploymentStatus: readonly UpdateStep[] = [
  'changes',
  object => {
    const status = at(object, 'status');
    checkCounts(status, [
      'observedGeneration',
      'replicas',
      'updatedReplicas',
      'readyReplicas',
      'availableReplicas',
      'unavailableReplicas',
      'terminatingReplicas',
      'collisionCount',
    ]);
    checkAtMost(status, ['updatedReplicas', 'readyReplicas', 'availableReplicas'], 'readyReplicas');
  },
  checkCollisions,
];
