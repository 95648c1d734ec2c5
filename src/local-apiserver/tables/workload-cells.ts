import { listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import { ageOf, conditionStatus, containerCells, count, humanDuration, labelsText, nameCell, selectorCell, since } from './cell-text.js';
import type { CellMaker } from './core-cells.js';

const template = (object: ValueMap): Value | undefined => valueAt(object, 'spec', 'template');
const selector = (object: ValueMap): string => selectorCell(valueAt(object, 'spec', 'selector'));

/** Rows of apps and batch. Source: kubernetes pkg/printers/internalversion/printers.go. */
export const workloadCells: Readonly<Record<string, CellMaker>> = {
  deployments: (o, now) => [
    nameCell(o),
    `${count(o, 'status', 'readyReplicas')}/${count(o, 'spec', 'replicas')}`,
    count(o, 'status', 'updatedReplicas'),
    count(o, 'status', 'availableReplicas'),
    ageOf(o, now),
    ...containerCells(template(o)),
    selector(o),
  ],
  replicasets: (o, now) => [
    nameCell(o),
    count(o, 'spec', 'replicas'),
    count(o, 'status', 'replicas'),
    count(o, 'status', 'readyReplicas'),
    ageOf(o, now),
    ...containerCells(template(o)),
    selector(o),
  ],
  daemonsets: (o, now) => [
    nameCell(o),
    ...['desiredNumberScheduled', 'currentNumberScheduled', 'numberReady', 'updatedNumberScheduled', 'numberAvailable'].map(key =>
      count(o, 'status', key),
    ),
    labelsText(mapAt(o, 'spec', 'template', 'spec', 'nodeSelector')),
    ageOf(o, now),
    ...containerCells(template(o)),
    selector(o),
  ],
  statefulsets: (o, now) => [
    nameCell(o),
    `${count(o, 'status', 'readyReplicas')}/${count(o, 'spec', 'replicas')}`,
    ageOf(o, now),
    ...containerCells(template(o)),
  ],
  controllerrevisions: (o, now) => [nameCell(o), controllerOf(o), count(o, 'revision'), ageOf(o, now)],
  jobs: (o, now) => [
    nameCell(o),
    jobStatus(o),
    completions(o),
    jobDuration(o, now),
    ageOf(o, now),
    ...containerCells(template(o)),
    selector(o),
  ],
  cronjobs: (o, now) => [
    nameCell(o),
    stringAt(o, 'spec', 'schedule'),
    stringAt(o, 'spec', 'timeZone') || '<none>',
    suspension(valueAt(o, 'spec', 'suspend')),
    BigInt(listAt(o, 'status', 'active').length),
    lastSchedule(o, now),
    ageOf(o, now),
    ...containerCells(valueAt(o, 'spec', 'jobTemplate', 'spec', 'template')),
    selectorCell(valueAt(o, 'spec', 'jobTemplate', 'spec', 'selector')),
  ],
};

function controllerOf(revision: ValueMap): string {
  const owner = listAt(revision, 'metadata', 'ownerReferences').find(reference => valueAt(reference, 'controller') === true);
  if (owner === undefined) return '<none>';
  const group = stringAt(owner, 'apiVersion').split('/').at(-2) ?? '';
  return `${stringAt(owner, 'kind').toLowerCase()}${group === '' ? '' : `.${group}`}/${stringAt(owner, 'name')}`;
}

function jobStatus(job: ValueMap): string {
  for (const type of ['Complete', 'Failed']) if (conditionStatus(job, type) === 'True') return type;
  if (stringAt(job, 'metadata', 'deletionTimestamp') !== '') return 'Terminating';
  for (const type of ['Suspended', 'FailureTarget', 'SuccessCriteriaMet']) if (conditionStatus(job, type) === 'True') return type;
  return 'Running';
}

function completions(job: ValueMap): string {
  const wanted = valueAt(job, 'spec', 'completions');
  const succeeded = count(job, 'status', 'succeeded');
  if (typeof wanted === 'bigint') return `${succeeded}/${wanted}`;
  const parallelism = count(job, 'spec', 'parallelism');
  return parallelism > 1n ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: ValueMap, now: Date): string {
  const start = stringAt(job, 'status', 'startTime');
  const end = stringAt(job, 'status', 'completionTime');
  if (start === '') return '';
  return humanDuration((end === '' ? now.getTime() : Date.parse(end)) - Date.parse(start));
}

function suspension(suspend: Value | undefined): string {
  if (typeof suspend !== 'boolean') return '<unset>';
  return suspend ? 'True' : 'False';
}

function lastSchedule(job: ValueMap, now: Date): string {
  const time = stringAt(job, 'status', 'lastScheduleTime');
  return time === '' ? '<none>' : since(time, now);
}
