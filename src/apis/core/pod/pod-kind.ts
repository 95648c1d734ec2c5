import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { podGatedFields } from './gated-fields.js';
import { podDeletion } from './pod-deletion.js';
import { pod } from './pod-strategy.js';
import { podRules } from './pod-validation.js';
import { ephemeralContainers } from './subresources/ephemeral-containers.js';
import { podStatus, podStatusWarnings } from './subresources/pod-status.js';
import { resize } from './subresources/resize.js';

/** Pod. */
export const podKind: KindDefinition = {
  refine: pod,
  validation: podRules,
  subresources: {
    status: { update: podStatus, warnings: podStatusWarnings },
    ephemeralcontainers: { update: ephemeralContainers },
    resize: { update: resize },
  },
  gatedFields: podGatedFields,
  hasGeneration: true,
  resetsStatus: true,
  deletion: podDeletion,
};
