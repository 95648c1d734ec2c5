import { constants, type DefaultRules, isAbsent, setDefault } from '../../apiserver/objects/default-rules.js';
import { ensureMap, type ValueMap } from '../../go/value.js';
import { labelLikeTemplate } from '../core/core-defaults.js';

/** Defaults of jobs; those in a CronJob's template are not applied yet. Source: kubernetes pkg/apis/batch defaults.go. */
export const batchDefaults: DefaultRules = {
  'batch/v1.Job': job => {
    const spec = ensureMap(job, 'spec');
    // Parallelism without completions means a work queue.
    if (isAbsent(spec, 'parallelism')) setDefault(spec, 'completions', 1n);
    setDefault(spec, 'parallelism', 1n);
    setDefault(spec, 'backoffLimit', isAbsent(spec, 'backoffLimitPerIndex') ? 6n : 2147483647n);
    labelLikeTemplate(job);
    setDefault(spec, 'completionMode', 'NonIndexed');
    setDefault(spec, 'suspend', false);
    setDefault(spec, 'podReplacementPolicy', isAbsent(spec, 'podFailurePolicy') ? 'TerminatingOrFailed' : 'Failed');
    setDefault(spec, 'manualSelector', false);
  },
  'batch/v1.PodFailurePolicyOnPodConditionsPattern': constants({ status: 'True' }),
  'batch/v1.CronJob': cronJob,
  'batch/v1beta1.CronJob': cronJob,
};

function cronJob(object: ValueMap): void {
  const spec = ensureMap(object, 'spec');
  setDefault(spec, 'concurrencyPolicy', 'Allow');
  setDefault(spec, 'suspend', false);
  setDefault(spec, 'successfulJobsHistoryLimit', 3n);
  setDefault(spec, 'failedJobsHistoryLimit', 1n);
}
