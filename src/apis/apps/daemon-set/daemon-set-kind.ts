import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { at } from '../../../apiserver/registry/validation/place.js';
import { templateGatedFields } from '../../core/pod/gated-fields.js';
import { checkCollisions, checkCounts } from '../replica-counts.js';
import { daemonSet } from './daemon-set-strategy.js';
import { daemonSetRules } from './daemon-set-validation.js';

/** Source: apps/validation ValidateDaemonSetStatusUpdate. */
const daemonSetStatus: readonly UpdateStep[] = [
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

/** DaemonSet. */
export const daemonSetKind: KindDefinition = {
  refine: daemonSet,
  validation: daemonSetRules,
  subresources: { status: { update: daemonSetStatus } },
  gatedFields: templateGatedFields,
  hasGeneration: true,
  resetsStatus: true,
  deletion: { zeroMembers: { metadata: { annotations: { 'deprecated.daemonset.template.generation': '0' } } } },
};
