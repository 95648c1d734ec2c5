import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import {
  addInvalid,
  addRequired,
  addUnsupported,
  at,
  hasSet,
  isSet,
  numberAt,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkLabelSelector, checkNonNegative } from '../../../apiserver/registry/validation/rules.js';
import { tooLong } from '../../../kubernetes/field-error.js';
import { dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';
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
    job => checkJob(at(job, 'spec')),
    checkJobChange,
    checkWorkloadAnnotations,
    job => {
      if (job.server.since('v1.37')) checkHostnames(job);
    },
  ],
  warnings: (job, old) => [...nameWarning(job, old), ...ofChanged(job, old, () => jobSpecWarnings(at(job, 'spec')))],
};

/** Returns warnings about a job, or about the jobs of a schedule. Source: pkg/api/job WarningsForJobSpec. */
export function jobSpecWarnings(spec: Place): string[] {
  const isHuge =
    textAt(spec, 'completionMode') === 'Indexed' && numberAt(spec, 'completions') > 100_000n && numberAt(spec, 'parallelism') > 10_000n;
  const message =
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
  return [...(isHuge ? [`${spec.path}: ${message}`] : []), ...templateWarnings(at(spec, 'template'))];
}

function checkWholeJob(job: Place): void {
  checkGenerated(job);
  checkJob(at(job, 'spec'));
  checkWorkloadAnnotations(job, undefined);
  checkHostnames(job);
}

/** Validates the labels that the server generates for a job's pods. Source: validateGeneratedSelector. */
function checkGenerated(job: Place): void {
  const selector = at(job, 'spec', 'selector');
  if (at(job, 'spec', 'manualSelector').value === true || !isSet(selector)) return;
  const [uid, name] = [textAt(job, 'metadata', 'uid'), textAt(job, 'metadata', 'name')];
  const expected = [
    ['controller-uid', uid],
    ['job-name', name],
    ['batch.kubernetes.io/controller-uid', uid],
    ['batch.kubernetes.io/job-name', name],
  ] as const;
  const labels = at(job, 'spec', 'template', 'metadata', 'labels');
  for (const [key, value] of expected) {
    const found = at(labels, key);
    const place: Place = { ...found, path: `${labels.path}[${key}]` };
    if (!isSet(found)) addRequired(place, `must be '${value}'`);
    else if (textOf(found) !== value) addInvalid(place, `must be '${value}'`, sortedJson(labels));
  }
  const generated = new Map(expected.map(([key, value]) => [key, value] as const));
  const probe: Place = {
    value: new Map([['template', new Map([['metadata', new Map([['labels', generated]])]])]]),
    path: '',
    errors: [],
    server: job.server,
  };
  if (isUsableSelector(selector)) checkSelected(probe, selector.value);
  if (probe.errors.length > 0)
    addInvalid(selector, '`selector` not auto-generated', internalValue(job.server, 'meta/v1.LabelSelector', selector.value));
}

function checkHostnames(job: Place): void {
  const completions = numberAt(job, 'spec', 'completions');
  if (textAt(job, 'spec', 'completionMode') !== 'Indexed' || completions <= 0n) return;
  const name = at(job, 'metadata', 'name');
  const longest = `${textOf(name)}-${completions - 1n}`;
  if (longest.length > 63 || !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(longest))
    addInvalid(name, `will not able to create pod with invalid DNS label: ${longest}`);
}

function checkJob(spec: Place): void {
  checkJobSpec(spec);
  const selector = at(spec, 'selector');
  if (!isSet(selector)) addRequired(selector);
  else checkLabelSelector(selector);
  if (isUsableSelector(selector)) checkSelected(spec, selector.value);
}

export function checkJobSpec(spec: Place): void {
  for (const name of [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ])
    checkNonNegative(at(spec, name));
  if (hasSet(spec, 'maxFailedIndexes') && !hasSet(spec, 'backoffLimitPerIndex'))
    addRequired(at(spec, 'backoffLimitPerIndex'), 'when maxFailedIndexes is specified');
  const manager = at(spec, 'managedBy');
  if (isSet(manager)) {
    checkDomainPath(manager);
    if (Buffer.byteLength(textOf(manager)) > 63) manager.errors.push(tooLong(manager.path, 63));
  }
  checkIndexed(spec);
  if (hasSet(spec, 'podFailurePolicy')) checkFailurePolicy(spec);
  checkSuccessPolicy(spec);
  const replacement = at(spec, 'podReplacementPolicy');
  const known = hasSet(spec, 'podFailurePolicy') ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
  if (isSet(replacement) && !known.includes(textOf(replacement))) addUnsupported(replacement, known);
  checkPodTemplate(at(spec, 'template'));
  checkRestart(spec);
}

function checkRestart(spec: Place): void {
  const policy = at(spec, 'template', 'spec', 'restartPolicy');
  if (textOf(policy) === 'Always' || textOf(policy) === '') addRequired(policy, 'valid values: "OnFailure", "Never"');
  else if (!['OnFailure', 'Never'].includes(textOf(policy))) addUnsupported(policy, ['OnFailure', 'Never']);
  else if (hasSet(spec, 'podFailurePolicy') && textOf(policy) !== 'Never')
    addInvalid(policy, 'only "Never" is supported when podFailurePolicy is specified');
}

/** Validates the form `example.com/path`. Source: validation.IsDomainPrefixedPath. */
export function checkDomainPath(place: Place): void {
  const [domain = '', ...path] = textOf(place).split('/');
  if (textOf(place) === '') addRequired(place);
  else if (path.length === 0 || domain === '' || path.join('/') === '')
    addInvalid(place, 'must be a domain-prefixed path (such as "acme.io/foo")');
  else {
    for (const problem of dns1123SubdomainProblems(domain)) addInvalid(place, problem, domain);
    if (!/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(path.join('/')))
      addInvalid(place, `Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')`, path.join('/'));
  }
}

const manyCompletions = 100_000n;

function checkIndexed(spec: Place): void {
  const mode = at(spec, 'completionMode');
  const [completions, parallelism, failures] = [at(spec, 'completions'), at(spec, 'parallelism'), at(spec, 'maxFailedIndexes')];
  if (isSet(mode) && !['NonIndexed', 'Indexed'].includes(textOf(mode))) addUnsupported(mode, ['NonIndexed', 'Indexed']);
  if (textOf(mode) !== 'Indexed') {
    if (isSet(mode) && textOf(mode) !== 'NonIndexed') return;
    for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes'])
      if (hasSet(spec, name)) addInvalid(at(spec, name), 'requires indexed completion mode');
    return;
  }
  if (!isSet(completions)) addRequired(completions, 'when completion mode is Indexed');
  if (numberOf(parallelism) > 100_000n) addInvalid(parallelism, 'must be less than or equal to 100000 when completion mode is Indexed');
  if (isSet(completions) && isSet(failures) && numberOf(failures) > numberOf(completions))
    addInvalid(failures, 'must be less than or equal to completions');
  if (numberOf(failures) > 100_000n) addInvalid(failures, 'must be less than or equal to 100000');
  if (numberOf(completions) <= manyCompletions || !hasSet(spec, 'backoffLimitPerIndex')) return;
  if (!isSet(failures)) addRequired(failures, 'must be specified when completions is above 100000');
  const message = 'must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index';
  for (const place of [parallelism, failures]) if (numberOf(place) > 10_000n) addInvalid(place, message);
}

/** Source: ValidateJobSpecUpdate. */
function checkJobChange(job: Place, old: Place): void {
  const [spec, before] = [at(job, 'spec'), at(old, 'spec')];
  const keep = (name: string): void => checkImmutable(spec, before, { type: 'batch/v1.JobSpec', name });
  const [now, then] = [at(spec, 'completions'), at(before, 'completions')];
  if (textAt(spec, 'completionMode') !== 'Indexed') keep('completions');
  else if (isSet(now) && now.value !== then.value && numberOf(now) !== numberAt(spec, 'parallelism'))
    addInvalid(now, 'can only be modified in tandem with spec.parallelism');
  keep('selector');
  checkTemplateChange(job, old);
  for (const name of ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy']) keep(name);
}
