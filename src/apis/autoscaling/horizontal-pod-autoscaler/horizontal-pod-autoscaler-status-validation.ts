import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { at } from '../../../apiserver/registry/validation/place.js';
import { checkCounts } from '../../apps/replica-counts.js';

/** Source: autoscaling/validation ValidateHorizontalPodAutoscalerStatusUpdate. */
export const autoscalerStatus: readonly UpdateStep[] = [
  'changes',
  object => checkCounts(at(object, 'status'), ['currentReplicas', 'desiredReplicas']),
];
