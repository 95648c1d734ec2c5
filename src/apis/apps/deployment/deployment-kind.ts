import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { templateDisabledFields } from '../../core/pod/disabled-fields.js';
import { deploymentStatus } from './deployment-status-validation.js';
import { deployment } from './deployment-strategy.js';
import { deploymentRules } from './deployment-validation.js';

/** Deployment. */
export const deploymentKind: KindDefinition = {
  refine: deployment,
  validation: deploymentRules,
  subresources: { status: { update: deploymentStatus } },
  disabledFields: templateDisabledFields,
  hasGeneration: true,
  resetsStatus: true,
};
