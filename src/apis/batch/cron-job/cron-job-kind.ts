import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { declared } from '../../../apiserver/registry/validation/declared.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import { addInvalid, addUnsupported, at, hasSet, isSet, textAt, textOf } from '../../../apiserver/registry/validation/place.js';
import { checkNonNegative, checkOneOf, checkRequired } from '../../../apiserver/registry/validation/rules.js';
import { gatedPodFieldsBelow } from '../../core/pod/gated-fields.js';
import { nameWarning, ofChanged } from '../../core/pod-template/selected-templates.js';
import { checkJobSpec, jobSpecWarnings } from '../job/job-validation.js';
import { checkWorkloadAnnotations } from '../job/workload-annotations.js';
import { cronProblem } from './cron-schedule.js';

/** Source: batch/validation ValidateCronJobCreate. */
const cronJobRules: KindRules = {
  create: cronJob => {
    checkCronJob(at(cronJob, 'spec'), undefined);
    const name = at(cronJob, 'metadata', 'name');
    if (Buffer.byteLength(textOf(name)) > 52) addInvalid(name, 'must be no more than 52 characters');
  },
  update: ['changes', (cronJob, old) => checkCronJob(at(cronJob, 'spec'), at(old, 'spec'))],
  warnings: (cronJob, old) => [
    ...nameWarning(cronJob, old),
    ...ofChanged(cronJob, old, () => jobSpecWarnings(at(cronJob, 'spec', 'jobTemplate', 'spec'))),
    ...(old !== undefined && textAt(cronJob, 'spec', 'schedule').includes('TZ')
      ? [
          'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
        ]
      : []),
  ],
};

function checkCronJob(spec: Place, old: Place | undefined): void {
  const schedule = at(spec, 'schedule');
  if (textOf(schedule) === '') declared(schedule, old && at(old, 'schedule'), () => checkRequired(spec, 'schedule'));
  else
    checkSchedule(schedule, {
      hasZone: hasSet(spec, 'timeZone'),
      mayNameZone: old !== undefined && textAt(old, 'schedule').includes('TZ'),
    });
  checkNonNegative(at(spec, 'startingDeadlineSeconds'));
  const zone = at(spec, 'timeZone');
  if (isSet(zone) && (old === undefined || textAt(old, 'timeZone') !== textOf(zone))) checkTimeZone(zone);
  checkOneOf(at(spec, 'concurrencyPolicy'), ['Allow', 'Forbid', 'Replace']);
  const job = at(spec, 'jobTemplate', 'spec');
  checkJobSpec(job);
  checkWorkloadAnnotations(at(spec, 'jobTemplate'), old && at(old, 'jobTemplate'));
  const selector = at(job, 'selector');
  if (isSet(selector))
    addInvalid(selector, '`selector` will be auto-generated', internalValue(spec.server, 'meta/v1.LabelSelector', selector.value));
  if (at(job, 'manualSelector').value === true) addUnsupported(at(job, 'manualSelector'), ['nil', 'false']);
  for (const name of ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit']) checkNonNegative(at(spec, name));
}

function checkSchedule(schedule: Place, { hasZone, mayNameZone }: { readonly hasZone: boolean; readonly mayNameZone: boolean }): void {
  const problem = cronProblem(textOf(schedule));
  if (problem !== undefined) addInvalid(schedule, problem);
  if (!textOf(schedule).includes('TZ')) return;
  if (!mayNameZone) addInvalid(schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead');
  else if (hasZone) addInvalid(schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule');
}

function checkTimeZone(zone: Place): void {
  const name = textOf(zone);
  if (name === '') {
    addInvalid(zone, 'timeZone must be nil or non-empty string');
    return;
  }
  const isPart = (part: string): boolean => part !== '.' && part !== '..' && !part.startsWith('-') && /^[A-Za-z0-9._+-]{1,14}$/.test(part);
  if (!name.split('/').every(isPart)) {
    addInvalid(zone, `unknown time zone ${name}`);
    return;
  }
  if (name.toLowerCase() === 'local')
    addInvalid(zone, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones');
  if (!isLocation(name)) addInvalid(zone, `unknown time zone ${name}`);
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
