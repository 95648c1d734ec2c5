import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { templateGatedFields } from '../../core/pod/gated-fields.js';
import { daemonSetStatus } from './daemon-set-status-validation.js';
import { daemonSet } from './daemon-set-strategy.js';
import { daemonSetRules } from './daemon-set-validation.js';

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
