import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { templateGatedFields } from '../../core/pod/gated-fields.js';
import { jobDeletion } from './job-deletion.js';
import { jobStatus } from './job-status-validation.js';
import { job } from './job-strategy.js';
import { jobRules } from './job-validation.js';

/** Job. */
export const jobKind: KindDefinition = {
  refine: job,
  validation: jobRules,
  subresources: { status: { update: jobStatus } },
  gatedFields: [...templateGatedFields, { gates: ['WorkloadWithJob'], paths: ['spec.scheduling'] }],
  hasGeneration: true,
  resetsStatus: true,
  deletion: jobDeletion,
};
