import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { gatedPodFieldsBelow } from '../../core/pod/gated-fields.js';
import { cronJobRules } from './cron-job-validation.js';

/** CronJob. */
export const cronJobKind: KindDefinition = {
  validation: cronJobRules,
  subresources: { status: { update: [] } },
  gatedFields: [
    ...gatedPodFieldsBelow('spec.jobTemplate.spec.template.spec'),
    { gates: ['WorkloadWithJob'], paths: ['spec.jobTemplate.spec.scheduling'] },
  ],
  hasGeneration: true,
  resetsStatus: true,
};
