import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { templateDisabledFields } from '../../core/pod/disabled-fields.js';
import { jobStatus } from './job-status-validation.js';
import { job } from './job-strategy.js';
import { jobRules } from './job-validation.js';

/** Job. */
export const jobKind: KindDefinition = {
  refine: job,
  validation: jobRules,
  subresources: { status: { update: jobStatus } },
  disabledFields: templateDisabledFields,
  hasGeneration: true,
  resetsStatus: true,
};
