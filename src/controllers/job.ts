import { copyOf, ensureMap, listAt, mapAt, stringAt, toValue, type Value, type ValueMap, valueAt } from '../go/value.js';
import {
  type CreatedObject,
  controllerReference,
  nameOfCreated,
  objectOfTemplate,
  podFromTemplate,
  setLabel,
  templateOf,
} from './created-object.js';

const trackingFinalizer = 'batch.kubernetes.io/job-tracking';
const indexKey = 'batch.kubernetes.io/job-completion-index';
const indexVariable = 'JOB_COMPLETION_INDEX';

/**
 * Returns the first pod of a new job; undefined if it needs none or is suspended. Source: pkg/controller/job/job_controller.go manageJob.
 */
export function podOfJob(job: ValueMap): CreatedObject | undefined {
  const parallelism = valueAt(job, 'spec', 'parallelism');
  const completions = valueAt(job, 'spec', 'completions');
  if (valueAt(job, 'spec', 'suspend') === true || parallelism === 0n || completions === 0n) return undefined;
  const isIndexed = valueAt(job, 'spec', 'completionMode') === 'Indexed';
  const template = templateOf(job);
  const metadata = ensureMap(template, 'metadata');
  const finalizers = listAt(metadata, 'finalizers');
  if (!finalizers.includes(trackingFinalizer)) metadata.set('finalizers', [...finalizers, trackingFinalizer]);
  if (isIndexed) markIndex(job, template);
  const pod = podFromTemplate(job, template);
  if (isIndexed) ensureMap(pod, 'metadata').set('generateName', indexedGenerateName(nameOfCreated(job)));
  return { controller: 'job-controller', object: pod, notes: notesOn(job, { parallelism, isIndexed }) };
}

/**
 * Returns the job of a cron job as if it were due now: the schedule is ignored. Undefined if it is suspended. Source:
 * pkg/controller/cronjob/utils.go.
 */
export function jobOfCronJob(cronJob: ValueMap, now: Date): CreatedObject | undefined {
  if (valueAt(cronJob, 'spec', 'suspend') === true) return undefined;
  const minutes = Math.floor(now.getTime() / 60_000);
  const due = `${new Date(minutes * 60_000).toISOString().slice(0, 19)}Z`;
  const template = copyOf(mapAt(cronJob, 'spec', 'jobTemplate') ?? new Map<string, Value>());
  const metadata = new Map<string, Value>([
    ['name', `${nameOfCreated(cronJob)}-${minutes}`],
    ['namespace', stringAt(cronJob, 'metadata', 'namespace')],
    ['labels', mapAt(template, 'metadata', 'labels') ?? new Map()],
    ['annotations', mapAt(template, 'metadata', 'annotations') ?? new Map()],
    ['ownerReferences', [controllerReference(cronJob)]],
  ]);
  ensureMap(metadata, 'annotations').set('batch.kubernetes.io/cronjob-scheduled-timestamp', due);
  const job = objectOfTemplate({ group: 'batch', version: 'v1', kind: 'Job' }, metadata);
  job.set('spec', mapAt(template, 'spec') ?? new Map());
  return {
    controller: 'cronjob-controller',
    object: job,
    notes: [`assuming CronJob ${nameOfCreated(cronJob)} is due at ${due}, regardless of its schedule`],
  };
}

function notesOn(
  job: ValueMap,
  { parallelism, isIndexed }: { readonly parallelism: Value | undefined; readonly isIndexed: boolean },
): string[] {
  if (typeof parallelism !== 'bigint' || parallelism <= 1n) return [];
  const rest = isIndexed ? 'the first is shown; others have their own index' : 'all alike: one of them is shown';
  return [`Job ${nameOfCreated(job)} runs ${parallelism} pods in parallel: ${rest}`];
}

/** Source: pkg/controller/job/indexed_job_utils.go. */
function markIndex(job: ValueMap, template: ValueMap): void {
  const annotations = ensureMap(ensureMap(template, 'metadata'), 'annotations');
  annotations.set(indexKey, '0');
  if (valueAt(job, 'spec', 'backoffLimitPerIndex') !== undefined) annotations.set('batch.kubernetes.io/job-index-failure-count', '0');
  setLabel(template, indexKey, '0');
  const spec = ensureMap(template, 'spec');
  spec.set('hostname', `${nameOfCreated(job)}-0`);
  for (const container of [...listAt(spec, 'initContainers'), ...listAt(spec, 'containers')]) {
    const map = mapAt(container);
    const env = listAt(map, 'env');
    if (map === undefined || env.some(variable => stringAt(variable, 'name') === indexVariable)) continue;
    map.set('env', [...env, toValue({ name: indexVariable, valueFrom: { fieldRef: { fieldPath: `metadata.labels['${indexKey}']` } } })]);
  }
}

/** Max length of a name to which the API server adds a suffix. Source: apiserver storage/names/generate.go. */
const longestGenerateName = 58;

function indexedGenerateName(name: string): string {
  const end = '-0-';
  return name.length + end.length > longestGenerateName ? name.slice(0, longestGenerateName - end.length) + end : name + end;
}
