import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { disabledPodFieldsBelow } from '../../core/pod/disabled-fields.js';
import { cronJobRules } from './cron-job-validation.js';

/** CronJob. */
export const cronJobKind: KindDefinition = {
  validation: cronJobRules,
  subresources: { status: { update: [] } },
  disabledFields: disabledPodFieldsBelow('spec.jobTemplate.spec.template.spec'),
  hasGeneration: true,
  resetsStatus: true,
};
