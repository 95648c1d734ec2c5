import { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkLabelSelector, checkNonNegative } from '../../../apiserver/registry/validation/rules.js';
import { domainPrefixedPathProblems } from '../../../kubernetes/name-rules.js';
import { checkPodTemplate } from '../../core/pod/validation/pod-template.js';
import { templateWarnings } from '../../core/pod/validation/pod-warnings.js';
import { checkSelected, isUsableSelector, nameWarning, ofChanged, sortedJson } from '../../core/pod-template/selected-templates.js';
import { checkFailurePolicy, checkSuccessPolicy } from './job-policies.js';
import { checkTemplateChange } from './job-template-change.js';
import { checkWorkloadAnnotations } from './workload-annotations.js';

/** Source: batch/validation ValidateJob. */
export const jobRules: KindRules = {
  create: checkWholeJob,
  update: [
    'changes',
    job => checkJob(job.child('spec')),
    checkJobChange,
    checkWorkloadAnnotations,
    job => {
      if (job.server.since('v1.37')) checkHostnames(job);
    },
  ],
  warnings: (job, old) => [...nameWarning(job, old), ...ofChanged(job, old, () => jobSpecWarnings(job.child('spec')))],
};

/** Returns warnings about a job, or about the jobs of a schedule. Source: pkg/api/job WarningsForJobSpec. */
export function jobSpecWarnings(spec: FieldPath): string[] {
  const isHuge = spec.text('completionMode') === 'Indexed' && spec.number('completions') > 100_000n && spec.number('parallelism') > 10_000n;
  const message =
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
  return [...(isHuge ? [`${spec.path}: ${message}`] : []), ...templateWarnings(spec.child('template'))];
}

function checkWholeJob(job: FieldPath): void {
  checkGenerated(job);
  checkJob(job.child('spec'));
  checkWorkloadAnnotations(job, undefined);
  checkHostnames(job);
}

/** Validates the labels that the server generates for a job's pods. Source: validateGeneratedSelector. */
function checkGenerated(job: FieldPath): void {
  const selector = job.child('spec', 'selector');
  if (job.child('spec', 'manualSelector').value === true || !selector.isSet()) return;
  const [uid, name] = [job.text('metadata', 'uid'), job.text('metadata', 'name')];
  const expected = [
    ['controller-uid', uid],
    ['job-name', name],
    ['batch.kubernetes.io/controller-uid', uid],
    ['batch.kubernetes.io/job-name', name],
  ] as const;
  const labels = job.child('spec', 'template', 'metadata', 'labels');
  for (const [key, value] of expected) {
    const label = labels.key(key);
    if (!label.isSet()) label.required(`must be '${value}'`);
    else if (label.text() !== value) label.invalid(sortedJson(labels), `must be '${value}'`);
  }
  const generated = new Map(expected.map(([key, value]) => [key, value] as const));
  const probe = FieldPath.root(job.server, new Map([['template', new Map([['metadata', new Map([['labels', generated]])]])]]));
  if (isUsableSelector(selector)) checkSelected(probe, selector.value);
  if (probe.errors.length > 0)
    selector.invalid(internalValue(job.server, 'meta/v1.LabelSelector', selector.value), '`selector` not auto-generated');
}

function checkHostnames(job: FieldPath): void {
  const completions = job.number('spec', 'completions');
  if (job.text('spec', 'completionMode') !== 'Indexed' || completions <= 0n) return;
  const name = job.child('metadata', 'name');
  const longest = `${name.text()}-${completions - 1n}`;
  if (longest.length > 63 || !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(longest))
    name.invalid(`will not able to create pod with invalid DNS label: ${longest}`);
}

function checkJob(spec: FieldPath): void {
  checkJobSpec(spec);
  const selector = spec.child('selector');
  if (!selector.isSet()) selector.required();
  else checkLabelSelector(selector);
  if (isUsableSelector(selector)) checkSelected(spec, selector.value);
}

export function checkJobSpec(spec: FieldPath): void {
  for (const name of [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ])
    checkNonNegative(spec.child(name));
  if (spec.has('maxFailedIndexes') && !spec.has('backoffLimitPerIndex'))
    spec.child('backoffLimitPerIndex').required('when maxFailedIndexes is specified');
  const manager = spec.child('managedBy');
  if (manager.isSet()) {
    checkDomainPath(manager);
    if (Buffer.byteLength(manager.text()) > 63) manager.tooLong(63);
  }
  checkIndexed(spec);
  if (spec.has('podFailurePolicy')) checkFailurePolicy(spec);
  checkSuccessPolicy(spec);
  const replacement = spec.child('podReplacementPolicy');
  const known = spec.has('podFailurePolicy') ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
  if (replacement.isSet() && !known.includes(replacement.text())) replacement.notSupported(known);
  checkPodTemplate(spec.child('template'));
  checkRestart(spec);
}

function checkRestart(spec: FieldPath): void {
  const policy = spec.child('template', 'spec', 'restartPolicy');
  if (policy.text() === 'Always' || policy.text() === '') policy.required('valid values: "OnFailure", "Never"');
  else if (!['OnFailure', 'Never'].includes(policy.text())) policy.notSupported(['OnFailure', 'Never']);
  else if (spec.has('podFailurePolicy') && policy.text() !== 'Never')
    policy.invalid('only "Never" is supported when podFailurePolicy is specified');
}

/** Validates the form `example.com/path`. Source: validation.IsDomainPrefixedPath. */
export function checkDomainPath(field: FieldPath): void {
  if (field.text() === '') field.required();
  else for (const { part, detail } of domainPrefixedPathProblems(field.text())) field.invalid(part, detail);
}

const manyCompletions = 100_000n;

function checkIndexed(spec: FieldPath): void {
  const mode = spec.child('completionMode');
  const [completions, parallelism, failures] = [spec.child('completions'), spec.child('parallelism'), spec.child('maxFailedIndexes')];
  if (mode.isSet() && !['NonIndexed', 'Indexed'].includes(mode.text())) mode.notSupported(['NonIndexed', 'Indexed']);
  if (mode.text() !== 'Indexed') {
    if (mode.isSet() && mode.text() !== 'NonIndexed') return;
    for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes'])
      if (spec.has(name)) spec.child(name).invalid('requires indexed completion mode');
    return;
  }
  if (!completions.isSet()) completions.required('when completion mode is Indexed');
  if (parallelism.number() > 100_000n) parallelism.invalid('must be less than or equal to 100000 when completion mode is Indexed');
  if (completions.isSet() && failures.isSet() && failures.number() > completions.number())
    failures.invalid('must be less than or equal to completions');
  if (failures.number() > 100_000n) failures.invalid('must be less than or equal to 100000');
  if (completions.number() <= manyCompletions || !spec.has('backoffLimitPerIndex')) return;
  if (!failures.isSet()) failures.required('must be specified when completions is above 100000');
  const message = 'must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index';
  for (const field of [parallelism, failures]) if (field.number() > 10_000n) field.invalid(message);
}

/** Source: ValidateJobSpecUpdate. */
function checkJobChange(job: FieldPath, old: FieldPath): void {
  const [spec, before] = [job.child('spec'), old.child('spec')];
  const keep = (name: string): void => checkImmutable(spec, before, { type: 'batch/v1.JobSpec', name });
  const [now, then] = [spec.child('completions'), before.child('completions')];
  if (spec.text('completionMode') !== 'Indexed') keep('completions');
  else if (now.isSet() && now.value !== then.value && now.number() !== spec.number('parallelism'))
    now.invalid('can only be modified in tandem with spec.parallelism');
  keep('selector');
  checkTemplateChange(job, old);
  for (const name of ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy']) keep(name);
}
