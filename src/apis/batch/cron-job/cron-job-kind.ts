import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkNonNegative, checkOneOf, checkRequired } from '../../../apiserver/registry/validation/rules.js';
import { gatedPodFieldsBelow } from '../../core/pod/gated-fields.js';
import { nameWarning, ofChanged } from '../../core/pod-template/selected-templates.js';
import { checkJobSpec, jobSpecWarnings } from '../job/job-validation.js';
import { checkWorkloadAnnotations } from '../job/workload-annotations.js';
import { cronProblem } from './cron-schedule.js';

/** Source: batch/validation ValidateCronJobCreate. */
const cronJobRules: KindRules = {
  create: cronJob => {
    checkCronJob(cronJob.child('spec'), undefined);
    const name = cronJob.child('metadata', 'name');
    if (Buffer.byteLength(name.text()) > 52) name.invalid('must be no more than 52 characters');
  },
  update: ['changes', (cronJob, old) => checkCronJob(cronJob.child('spec'), old.child('spec'))],
  warnings: (cronJob, old) => [
    ...nameWarning(cronJob, old),
    ...ofChanged(cronJob, old, () => jobSpecWarnings(cronJob.child('spec', 'jobTemplate', 'spec'))),
    ...(old !== undefined && cronJob.text('spec', 'schedule').includes('TZ')
      ? [
          'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
        ]
      : []),
  ],
};

function checkCronJob(spec: FieldPath, old: FieldPath | undefined): void {
  const schedule = spec.child('schedule');
  if (schedule.text() === '') checkRequired(spec, 'schedule');
  else
    checkSchedule(schedule, {
      hasZone: spec.has('timeZone'),
      mayNameZone: (old === undefined ? '' : old.text('schedule')).includes('TZ'),
    });
  checkNonNegative(spec.child('startingDeadlineSeconds'));
  const zone = spec.child('timeZone');
  if (zone.isSet() && (old === undefined || old.text('timeZone') !== zone.text())) checkTimeZone(zone);
  checkOneOf(spec.child('concurrencyPolicy'), ['Allow', 'Forbid', 'Replace']);
  const job = spec.child('jobTemplate', 'spec');
  checkJobSpec(job);
  checkWorkloadAnnotations(spec.child('jobTemplate'), old?.child('jobTemplate'));
  const selector = job.child('selector');
  if (selector.isSet())
    selector.invalid(internalValue(spec.server, 'meta/v1.LabelSelector', selector.value), '`selector` will be auto-generated');
  if (job.child('manualSelector').value === true) job.child('manualSelector').notSupported(['nil', 'false']);
  for (const name of ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit']) checkNonNegative(spec.child(name));
}

function checkSchedule(schedule: FieldPath, { hasZone, mayNameZone }: { readonly hasZone: boolean; readonly mayNameZone: boolean }): void {
  const problem = cronProblem(schedule.text());
  if (problem !== undefined) schedule.invalid(problem);
  if (!schedule.text().includes('TZ')) return;
  if (!mayNameZone) schedule.invalid('cannot use TZ or CRON_TZ in schedule, use timeZone field instead');
  else if (hasZone) schedule.invalid('cannot use both timeZone field and TZ or CRON_TZ in schedule');
}

function checkTimeZone(zone: FieldPath): void {
  const name = zone.text();
  if (name === '') {
    zone.invalid('timeZone must be nil or non-empty string');
    return;
  }
  const isPart = (part: string): boolean => part !== '.' && part !== '..' && !part.startsWith('-') && /^[A-Za-z0-9._+-]{1,14}$/.test(part);
  if (!name.split('/').every(isPart)) {
    zone.invalid(`unknown time zone ${name}`);
    return;
  }
  if (name.toLowerCase() === 'local') zone.invalid('timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones');
  if (!isLocation(name)) zone.invalid(`unknown time zone ${name}`);
}

/** Reports whether Go knows a time zone of this name. Source: time.LoadLocation. */
function isLocation(name: string): boolean {
  if (name === 'UTC' || name === 'Local') return true;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '' && /[A-Z]/.test(name) && !/^[+-]/.test(name);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

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
