import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { invalidValue } from '../../../kubernetes/field-error.js';
import { checkCounts } from '../../core/replication-controller/replica-counts.js';
import { completedAndFailedProblem, indexesProblem } from './completed-indexes.js';

/** Source: batch/validation ValidateJobUpdateStatus, with the options of kubernetes pkg/registry/batch/job getStatusValidationOptions. */
export const jobStatus: readonly UpdateStep[] = ['changes', checkJobStatus, checkTransition];

/** Job and the one it replaces: unchanged parts are not validated. */
interface Update {
  readonly job: FieldPath;
  readonly old: FieldPath;
  readonly changed: (name: string) => boolean;
  readonly turned: (...types: readonly string[]) => boolean;
}

function updateOf(job: FieldPath, old: FieldPath): Update {
  const text = (field: FieldPath): string => JSON.stringify(field.value ?? null, (_, v) => (typeof v === 'bigint' ? String(v) : v));
  return {
    job,
    old,
    changed: name => text(job.child('status', name)) !== text(old.child('status', name)),
    turned: (...types) => types.some(type => isTrue(job, type)) !== types.some(type => isTrue(old, type)),
  };
}

function checkJobStatus(job: FieldPath, old: FieldPath): void {
  const update = updateOf(job, old);
  const status = job.child('status');
  checkCounts(status, ['active', 'succeeded', 'failed', 'ready', 'terminating']);
  checkUncounted(status.child('uncountedTerminatedPods'));
  checkOutcome(update);
  checkTimes(update);
  checkFinished(update);
  checkIndexes(update);
  const ready = status.child('ready');
  const terminating = status.child('terminating');
  if ((update.turned('Complete', 'Failed') || update.changed('terminating')) && terminating.number() > 0n && isFinished(job))
    terminating.invalid('terminating>0 is invalid for finished job');
  if ((update.changed('ready') || update.changed('active')) && ready.isSet() && ready.number() > status.number('active'))
    ready.invalid('cannot set more ready pods than active');
  checkSuccessCriteria(job);
}

/** Validates that both lists have different pods. */
function checkUncounted(pods: FieldPath): void {
  const seen = new Set<string>();
  for (const uid of [...pods.items('succeeded'), ...pods.items('failed')]) {
    if (uid.text() === '') uid.invalid('must not be empty');
    else if (seen.has(uid.text())) uid.duplicate();
    seen.add(uid.text());
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
  const [start, end] = [job.child('status', 'startTime'), job.child('status', 'completionTime')];
  const complete = isTrue(job, 'Complete');
  if (turned('Complete') || changed('completionTime')) {
    if (end.isSet() && !complete) end.invalid(shownTime(end), 'cannot set completionTime when there is no Complete=True condition');
    if (!end.isSet() && complete) end.required('completionTime is required for Complete jobs');
  }
  if (
    (changed('startTime') || changed('completionTime')) &&
    start.isSet() &&
    end.isSet() &&
    Date.parse(end.text()) < Date.parse(start.text())
  )
    end.invalid(shownTime(end), 'must be equal to or after `startTime`');
}

/** Returns a time for an error; Go writes its zero time as null. */
function shownTime(time: FieldPath): string | null {
  const text = time.text();
  return text === '0001-01-01T00:00:00Z' || !time.isSet() ? null : text;
}

function checkFinished({ job, changed, turned }: Update): void {
  const status = job.child('status');
  if ((turned('Failed') || changed('failedIndexes')) && isTrue(job, 'Failed') && !isTrue(job, 'FailureTarget'))
    refuseConditions(job, 'cannot set Failed=True condition without the FailureTarget=true condition');
  if ((turned('Complete') || turned('SuccessCriteriaMet')) && isTrue(job, 'Complete') && !isTrue(job, 'SuccessCriteriaMet'))
    refuseConditions(job, 'cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  if (!isFinished(job)) return;
  const ended = turned('Complete', 'Failed');
  const active = status.child('active');
  if ((ended || changed('active')) && active.number() > 0n) active.invalid('active>0 is invalid for finished job');
  const never = job.flag('spec', 'suspend') && job.child('spec', 'completions').isSet() && job.number('spec', 'completions') === 0n;
  if ((ended || changed('startTime')) && !never && !status.child('startTime').isSet())
    status.child('startTime').required('startTime is required for finished job');
  const pods = status.child('uncountedTerminatedPods');
  if ((ended || changed('uncountedTerminatedPods')) && pods.child('succeeded').length() + pods.child('failed').length() > 0)
    pods.invalid(internalValue(job.server, 'batch/v1.UncountedTerminatedPods', pods.value), 'must be empty for finished job');
}

function checkIndexes({ job, changed }: Update): void {
  const [completed, failed] = [job.child('status', 'completedIndexes'), job.child('status', 'failedIndexes')];
  const perIndex = job.child('spec', 'backoffLimitPerIndex').isSet();
  const completions = job.child('spec', 'completions');
  const limit = completions.isSet() ? Number(completions.number()) : undefined;
  const format = (list: FieldPath): void => {
    const problem = limit === undefined ? undefined : indexesProblem(list.text(), limit);
    if (problem !== undefined) list.invalid(`error parsing ${list.path.slice('status.'.length)}: ${problem}`);
  };
  if (changed('completedIndexes')) format(completed);
  if (changed('failedIndexes') && perIndex && failed.isSet()) format(failed);
  if (changed('completedIndexes') && completed.text() !== '' && job.text('spec', 'completionMode') !== 'Indexed')
    completed.invalid('cannot set non-empty completedIndexes when non-indexed completion mode');
  if (changed('failedIndexes') && !perIndex && failed.isSet())
    failed.invalid('cannot set non-null failedIndexes when backoffLimitPerIndex is null');
  if (limit === undefined || !failed.isSet() || !(changed('failedIndexes') || changed('completedIndexes'))) return;
  const overlap = completedAndFailedProblem(completed.text(), failed.text(), limit);
  if (overlap !== undefined) failed.invalid(overlap);
}

function checkSuccessCriteria(job: FieldPath): void {
  const met = isTrue(job, 'SuccessCriteriaMet');
  if (met && isTrue(job, 'Failed')) refuseConditions(job, 'cannot set SuccessCriteriaMet=True and Failed=true conditions');
  if (met && isTrue(job, 'FailureTarget')) refuseConditions(job, 'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions');
  if (job.child('spec', 'successPolicy').isSet() && !met && isTrue(job, 'Complete'))
    refuseConditions(job, 'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True');
}

/** Validates status transitions: finished jobs stay finished, and counters only grow. Source: ValidateJobStatusUpdate. */
function checkTransition(job: FieldPath, old: FieldPath): void {
  for (const type of ['Failed', 'Complete', 'FailureTarget'])
    if (isTrue(old, type) && !isTrue(job, type)) refuseConditions(job, `cannot disable the terminal ${type}=True condition`);
  const [failed, succeeded] = [job.child('status', 'failed'), job.child('status', 'succeeded')];
  if (failed.number() < old.number('status', 'failed')) failed.invalid(failed.number(), 'cannot decrease the failed counter');
  if (!mayShrink(job) && succeeded.number() < old.number('status', 'succeeded'))
    succeeded.invalid(succeeded.number(), 'cannot decrease the succeeded counter');
  checkTimeChanges(job, old);
  if (isTrue(old, 'SuccessCriteriaMet') && !isTrue(job, 'SuccessCriteriaMet'))
    refuseConditions(job, 'cannot disable the SuccessCriteriaMet=True condition');
  if (isTrue(old, 'Complete') && !isTrue(old, 'SuccessCriteriaMet') && isTrue(job, 'SuccessCriteriaMet'))
    refuseConditions(job, 'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions');
}

/** Reports whether an indexed job can be scaled down, whose completions equal its parallelism. */
function mayShrink(job: FieldPath): boolean {
  const [completions, parallelism] = [job.child('spec', 'completions'), job.child('spec', 'parallelism')];
  return job.text('spec', 'completionMode') === 'Indexed' && completions.value === parallelism.value;
}

function checkTimeChanges(job: FieldPath, old: FieldPath): void {
  const [end, ended] = [job.child('status', 'completionTime'), old.child('status', 'completionTime')];
  if (end.isSet() && ended.isSet() && end.text() !== ended.text()) end.invalid(shownTime(end), 'field is immutable');
  const [start, started] = [job.child('status', 'startTime'), old.child('status', 'startTime')];
  const resuming = isTrue(old, 'Suspended') && conditionIs(job, 'Suspended', 'False');
  if (started.isSet() && start.text() !== started.text() && !resuming && !job.flag('spec', 'suspend'))
    start.invalid(shownTime(start), 'field is immutable for unsuspended job once set');
}

function refuseConditions(job: FieldPath, detail: string): void {
  job.errors.push(invalidValue('status.conditions', undefined, detail));
}

function isFinished(job: FieldPath): boolean {
  return isTrue(job, 'Complete') || isTrue(job, 'Failed');
}

function isTrue(job: FieldPath, type: string): boolean {
  return conditionIs(job, type, 'True');
}

function conditionIs(job: FieldPath, type: string, status: string): boolean {
  return job.items('status', 'conditions').some(c => c.text('type') === type && c.text('status') === status);
}
