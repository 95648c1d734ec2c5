import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { at } from '../../../apiserver/registry/validation/place.js';
import { checkCollisions, checkCounts } from '../replica-counts.js';

/** Source: apps/validation ValidateDaemonSetStatusUpdate. */
export const daemonSetStatus: readonly UpdateStep[] = [
  'changes',
  object =>
    checkCounts(at(object, 'status'), [
      'currentNumberScheduled',
      'numberMisscheduled',
      'desiredNumberScheduled',
      'numberReady',
      'observedGeneration',
      'updatedNumberScheduled',
      'numberAvailable',
      'numberUnavailable',
      'collisionCount',
    ]),
  checkCollisions,
];
