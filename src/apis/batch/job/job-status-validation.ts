import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import {
  addDuplicate,
  addInvalid,
  addRequired,
  at,
  flagAt,
  isSet,
  itemsAt,
  lengthOf,
  numberAt,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { invalidValue } from '../../../kubernetes/field-error.js';
import { checkCounts } from '../../core/replication-controller/replica-counts.js';
import { completedAndFailedProblem, indexesProblem } from './completed-indexes.js';

/** Source: batch/validation ValidateJobUpdateStatus, with the options of kubernetes pkg/registry/batch/job getStatusValidationOptions. */
export const jobStatus: readonly UpdateStep[] = ['changes', checkJobStatus, checkTransition];

/** Job and the one it replaces: unchanged parts are not validated. */
interface Update {
  readonly job: Place;
  readonly old: Place;
  readonly changed: (name: string) => boolean;
  readonly turned: (...types: readonly string[]) => boolean;
}

function updateOf(job: Place, old: Place): Update {
  const text = (place: Place): string => JSON.stringify(place.value ?? null, (_, v) => (typeof v === 'bigint' ? String(v) : v));
  return {
    job,
    old,
    changed: name => text(at(job, 'status', name)) !== text(at(old, 'status', name)),
    turned: (...types) => types.some(type => isTrue(job, type)) !== types.some(type => isTrue(old, type)),
  };
}

function checkJobStatus(job: Place, old: Place): void {
  const update = updateOf(job, old);
  const status = at(job, 'status');
  checkCounts(status, ['active', 'succeeded', 'failed', 'ready', 'terminating']);
  checkUncounted(at(status, 'uncountedTerminatedPods'));
  checkOutcome(update);
  checkTimes(update);
  checkFinished(update);
  checkIndexes(update);
  const ready = at(status, 'ready');
  const terminating = at(status, 'terminating');
  if ((update.turned('Complete', 'Failed') || update.changed('terminating')) && numberOf(terminating) > 0n && isFinished(job))
    addInvalid(terminating, 'terminating>0 is invalid for finished job');
  if ((update.changed('ready') || update.changed('active')) && isSet(ready) && numberOf(ready) > numberAt(status, 'active'))
    addInvalid(ready, 'cannot set more ready pods than active');
  checkSuccessCriteria(job);
}

/** Validates that both lists have different pods. */
function checkUncounted(pods: Place): void {
  const seen = new Set<string>();
  for (const uid of [...itemsAt(pods, 'succeeded'), ...itemsAt(pods, 'failed')]) {
    if (textOf(uid) === '') addInvalid(uid, 'must not be empty');
    else if (seen.has(textOf(uid))) addDuplicate(uid);
    seen.add(textOf(uid));
  }
}

function checkOutcome({ job, turned }: Update): void {
  const complete = isTrue(job, 'Complete');
  if ((turned('Complete') || turned('Failed')) && complete && isTrue(job, 'Failed'))
    refuseConditions(job, 'cannot set Complete=True and Failed=true conditions');
  if ((turned('Complete') || turned('FailureTarget')) && complete && isTrue(job, 'FailureTarget'))
    refuseConditions(job, 'cannot set Complete=True and FailureTarget=true conditions');
}

function checkTimes({ job, changed, turned }: Update): void {
  const [start, end] = [at(job, 'status', 'startTime'), at(job, 'status', 'completionTime')];
  const complete = isTrue(job, 'Complete');
  if (turned('Complete') || changed('completionTime')) {
    if (isSet(end) && !complete) addInvalid(end, 'cannot set completionTime when there is no Complete=True condition', shownTime(end));
    if (!isSet(end) && complete) addRequired(end, 'completionTime is required for Complete jobs');
  }
  if (
    (changed('startTime') || changed('completionTime')) &&
    isSet(start) &&
    isSet(end) &&
    Date.parse(textOf(end)) < Date.parse(textOf(start))
  )
    addInvalid(end, 'must be equal to or after `startTime`', shownTime(end));
}

/** Returns a time for an error; Go writes its zero time as null. */
function shownTime(time: Place): string | null {
  const text = textOf(time);
  return text === '0001-01-01T00:00:00Z' || !isSet(time) ? null : text;
}

function checkFinished({ job, changed, turned }: Update): void {
  const status = at(job, 'status');
  if ((turned('Failed') || changed('failedIndexes')) && isTrue(job, 'Failed') && !isTrue(job, 'FailureTarget'))
    refuseConditions(job, 'cannot set Failed=True condition without the FailureTarget=true condition');
  if ((turned('Complete') || turned('SuccessCriteriaMet')) && isTrue(job, 'Complete') && !isTrue(job, 'SuccessCriteriaMet'))
    refuseConditions(job, 'cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  if (!isFinished(job)) return;
  const ended = turned('Complete', 'Failed');
  const active = at(status, 'active');
  if ((ended || changed('active')) && numberOf(active) > 0n) addInvalid(active, 'active>0 is invalid for finished job');
  const never = flagAt(job, 'spec', 'suspend') && isSet(at(job, 'spec', 'completions')) && numberAt(job, 'spec', 'completions') === 0n;
  if ((ended || changed('startTime')) && !never && !isSet(at(status, 'startTime')))
    addRequired(at(status, 'startTime'), 'startTime is required for finished job');
  const pods = at(status, 'uncountedTerminatedPods');
  if ((ended || changed('uncountedTerminatedPods')) && lengthOf(at(pods, 'succeeded')) + lengthOf(at(pods, 'failed')) > 0)
    addInvalid(pods, 'must be empty for finished job', internalValue(job.server, 'batch/v1.UncountedTerminatedPods', pods.value));
}

function checkIndexes({ job, changed }: Update): void {
  const [completed, failed] = [at(job, 'status', 'completedIndexes'), at(job, 'status', 'failedIndexes')];
  const perIndex = isSet(at(job, 'spec', 'backoffLimitPerIndex'));
  const completions = at(job, 'spec', 'completions');
  const limit = isSet(completions) ? Number(numberOf(completions)) : undefined;
  const format = (list: Place): void => {
    const problem = limit === undefined ? undefined : indexesProblem(textOf(list), limit);
    if (problem !== undefined) addInvalid(list, `error parsing ${list.path.slice('status.'.length)}: ${problem}`);
  };
  if (changed('completedIndexes')) format(completed);
  if (changed('failedIndexes') && perIndex && isSet(failed)) format(failed);
  if (changed('completedIndexes') && textOf(completed) !== '' && textAt(job, 'spec', 'completionMode') !== 'Indexed')
    addInvalid(completed, 'cannot set non-empty completedIndexes when non-indexed completion mode');
  if (changed('failedIndexes') && !perIndex && isSet(failed))
    addInvalid(failed, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null');
  if (limit === undefined || !isSet(failed) || !(changed('failedIndexes') || changed('completedIndexes'))) return;
  const overlap = completedAndFailedProblem(textOf(completed), textOf(failed), limit);
  if (overlap !== undefined) addInvalid(failed, overlap);
}

function checkSuccessCriteria(job: Place): void {
  const met = isTrue(job, 'SuccessCriteriaMet');
  if (met && isTrue(job, 'Failed')) refuseConditions(job, 'cannot set SuccessCriteriaMet=True and Failed=true conditions');
  if (met && isTrue(job, 'FailureTarget')) refuseConditions(job, 'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions');
  if (isSet(at(job, 'spec', 'successPolicy')) && !met && isTrue(job, 'Complete'))
    refuseConditions(job, 'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True');
}

/** Validates status transitions: finished jobs stay finished, and counters only grow. Source: ValidateJobStatusUpdate. */
function checkTransition(job: Place, old: Place): void {
  for (const type of ['Failed', 'Complete', 'FailureTarget'])
    if (isTrue(old, type) && !isTrue(job, type)) refuseConditions(job, `cannot disable the terminal ${type}=True condition`);
  const [failed, succeeded] = [at(job, 'status', 'failed'), at(job, 'status', 'succeeded')];
  if (numberOf(failed) < numberAt(old, 'status', 'failed')) addInvalid(failed, 'cannot decrease the failed counter', numberOf(failed));
  if (!mayShrink(job) && numberOf(succeeded) < numberAt(old, 'status', 'succeeded'))
    addInvalid(succeeded, 'cannot decrease the succeeded counter', numberOf(succeeded));
  checkTimeChanges(job, old);
  if (isTrue(old, 'SuccessCriteriaMet') && !isTrue(job, 'SuccessCriteriaMet'))
    refuseConditions(job, 'cannot disable the SuccessCriteriaMet=True condition');
  if (isTrue(old, 'Complete') && !isTrue(old, 'SuccessCriteriaMet') && isTrue(job, 'SuccessCriteriaMet'))
    refuseConditions(job, 'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions');
}

/** Reports whether an indexed job can be scaled down, whose completions equal its parallelism. */
function mayShrink(job: Place): boolean {
  const [completions, parallelism] = [at(job, 'spec', 'completions'), at(job, 'spec', 'parallelism')];
  return textAt(job, 'spec', 'completionMode') === 'Indexed' && completions.value === parallelism.value;
}

function checkTimeChanges(job: Place, old: Place): void {
  const [end, ended] = [at(job, 'status', 'completionTime'), at(old, 'status', 'completionTime')];
  if (isSet(end) && isSet(ended) && textOf(end) !== textOf(ended)) addInvalid(end, 'field is immutable', shownTime(end));
  const [start, started] = [at(job, 'status', 'startTime'), at(old, 'status', 'startTime')];
  const resuming = isTrue(old, 'Suspended') && conditionIs(job, 'Suspended', 'False');
  if (isSet(started) && textOf(start) !== textOf(started) && !resuming && !flagAt(job, 'spec', 'suspend'))
    addInvalid(start, 'field is immutable for unsuspended job once set', shownTime(start));
}

function refuseConditions(job: Place, detail: string): void {
  job.errors.push(invalidValue('status.conditions', undefined, detail));
}

function isFinished(job: Place): boolean {
  return isTrue(job, 'Complete') || isTrue(job, 'Failed');
}

function isTrue(job: Place, type: string): boolean {
  return conditionIs(job, type, 'True');
}

function conditionIs(job: Place, type: string, status: string): boolean {
  return itemsAt(job, 'status', 'conditions').some(c => textAt(c, 'type') === type && textAt(c, 'status') === status);
}
