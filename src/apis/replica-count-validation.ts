import type { UpdateStep } from '../apiserver/registry/validation/kind-rules.js';
import { addInvalid, at, isSet, numberAt, numberOf, type Place } from '../apiserver/registry/validation/place.js';
import { checkNonNegative } from '../apiserver/registry/validation/rules.js';

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

/** Source: apps/validation ValidateReplicaSetStatusUpdate. */
export const replicaSetStatus: readonly UpdateStep[] = ['changes', checkReplicaSetStatus];

/** Source: core/validation ValidateReplicationControllerStatusUpdate; these have no `terminatingReplicas`. */
export const replicationControllerStatus = replicaSetStatus;

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

/** Source: autoscaling/validation ValidateHorizontalPodAutoscalerStatusUpdate. */
export const autoscalerStatus: readonly UpdateStep[] = [
  'changes',
  object => checkCounts(at(object, 'status'), ['currentReplicas', 'desiredReplicas']),
];

/** Members that are no negative numbers. */
export function checkCounts(status: Place, names: readonly string[]): void {
  for (const name of names) checkNonNegative(at(status, name));
}

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

/** No part of the replicas is more than all of them, and none is available that is not ready; the latter go by different names in errors. */
function checkAtMost(status: Place, parts: readonly string[], readyInError: string): void {
  const all = numberAt(status, 'replicas');
  for (const name of parts) {
    const part = at(status, name);
    if (numberOf(part) > all) addInvalid(part, 'cannot be greater than status.replicas', numberOf(part));
  }
  const available = at(status, 'availableReplicas');
  if (numberOf(available) > numberAt(status, 'readyReplicas'))
    addInvalid(available, `cannot be greater than ${readyInError}`, numberOf(available));
}

/** Collisions are only counted up. Source: apimachinery api/validation IsDecremented. */
function checkCollisions(object: Place, old: Place): void {
  const [now, before] = [at(object, 'status', 'collisionCount'), at(old, 'status', 'collisionCount')];
  if (!isSet(before)) return;
  if (!isSet(now) || numberOf(now) < numberOf(before)) addInvalid(now, 'cannot be decremented', numberOf(now));
}
