import { tooLong, tooMany } from '../../../../kubernetes/field-error.js';
import { labelKeyProblems } from '../../../../kubernetes/name-rules.js';
import { quote } from '../../../../kubernetes/quote.js';
import { internalValue } from '../go-value.js';
import { checkImmutable } from '../immutable.js';
import type { KindRules } from '../kind-rules.js';
import {
  addDuplicate,
  addInvalid,
  addRequired,
  addUnsupported,
  at,
  hasSet,
  indexed,
  isSet,
  itemsAt,
  lengthOf,
  numberAt,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../place.js';
import { checkPodTemplate } from '../pods/pod-template.js';
import { templateWarnings } from '../pods/pod-warnings.js';
import { checkLabelSelector, checkName, checkNonNegative, checkOneOf, checkRequired } from '../rules.js';
import { cronProblem } from './cron-schedule.js';
import { isLocation } from './time-zones.js';
import { checkSelected, isUsableSelector, nameWarning, ofChanged, sortedJson } from './workloads.js';

/** Source: batch/validation ValidateJob. */
export const jobRules: KindRules = {
  create: job => {
    checkGenerated(job);
    checkJob(at(job, 'spec'));
    checkHostnames(job);
  },
  update: ['changes', job => checkJob(at(job, 'spec')), checkJobChange],
  warnings: (job, old) => [...nameWarning(job, old), ...ofChanged(job, old, () => templateWarnings(at(job, 'spec', 'template')))],
};

/** Source: batch/validation ValidateCronJobCreate. */
export const cronJobRules: KindRules = {
  create: cronJob => {
    checkCronJob(at(cronJob, 'spec'), undefined);
    const name = at(cronJob, 'metadata', 'name');
    if (Buffer.byteLength(textOf(name)) > 52) addInvalid(name, 'must be no more than 52 characters');
  },
  update: ['changes', (cronJob, old) => checkCronJob(at(cronJob, 'spec'), at(old, 'spec'))],
  warnings: (cronJob, old) => [
    ...nameWarning(cronJob, old),
    ...ofChanged(cronJob, old, () => templateWarnings(at(cronJob, 'spec', 'jobTemplate', 'spec', 'template'))),
    ...(old !== undefined && textAt(cronJob, 'spec', 'schedule').includes('TZ')
      ? [
          'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
        ]
      : []),
  ],
};

/** The labels the server gives a job's pods. Source: validateGeneratedSelector. */
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
  const probe: Place = { value: new Map([['template', new Map([['metadata', new Map([['labels', generated]])]])]]), path: '', errors: [] };
  if (isUsableSelector(selector)) checkSelected(probe, selector.value);
  if (probe.errors.length > 0)
    addInvalid(selector, '`selector` not auto-generated', internalValue('meta/v1.LabelSelector', selector.value));
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

function checkJobSpec(spec: Place): void {
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

/** `example.com/path`. Source: validation.IsDomainPrefixedPath. */
export function checkDomainPath(place: Place): void {
  const [domain = '', ...path] = textOf(place).split('/');
  if (textOf(place) === '') addRequired(place);
  else if (path.length === 0 || domain === '' || path.join('/') === '')
    addInvalid(place, 'must be a domain-prefixed path (such as "acme.io/foo")');
  else {
    for (const problem of labelKeyProblems(`${domain}/a`).map(text => text.replace(/^prefix part /, '')))
      addInvalid(place, problem, domain);
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
  const words = 'must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index';
  for (const place of [parallelism, failures]) if (numberOf(place) > 10_000n) addInvalid(place, words);
}

const failureActions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

function checkFailurePolicy(spec: Place): void {
  const rules = at(spec, 'podFailurePolicy', 'rules');
  if (lengthOf(rules) > 20) rules.errors.push(tooMany(rules.path, lengthOf(rules), 20));
  const names = ['containers', 'initContainers'].flatMap(list =>
    itemsAt(spec, 'template', 'spec', list).map(container => textAt(container, 'name')),
  );
  for (const rule of indexed(rules)) {
    const action = at(rule, 'action');
    if (textOf(action) === 'FailIndex') {
      if (!hasSet(spec, 'backoffLimitPerIndex')) addInvalid(action, 'requires the backoffLimitPerIndex to be set');
    } else checkListed(action, failureActions);
    const [codes, conditions] = [at(rule, 'onExitCodes'), at(rule, 'onPodConditions')];
    if (isSet(codes)) checkExitCodes(codes, names);
    checkConditions(conditions);
    const both = isSet(codes) && lengthOf(conditions) > 0;
    const words = both
      ? 'specifying both OnExitCodes and OnPodConditions is not supported'
      : 'specifying one of OnExitCodes and OnPodConditions is required';
    if (both || (!isSet(codes) && lengthOf(conditions) === 0))
      rule.errors.push({ type: 'FieldValueInvalid', field: rule.path, badValue: undefined, detail: words });
  }
}

/** One of a few, which are named even where none is given. */
function checkListed(place: Place, known: readonly string[]): void {
  if (textOf(place) === '') addRequired(place, `valid values: [${known.map(quote).join(' ')}]`);
  else if (!known.includes(textOf(place))) addUnsupported(place, known);
}

function checkExitCodes(codes: Place, containers: readonly string[]): void {
  const [operator, name, values] = [at(codes, 'operator'), at(codes, 'containerName'), at(codes, 'values')];
  checkListed(operator, ['In', 'NotIn']);
  if (isSet(name) && !containers.includes(textOf(name)))
    addInvalid(name, 'must be one of the container or initContainer names in the pod template');
  if (lengthOf(values) === 0) addInvalid(values, 'at least one value is required', isSet(values) ? { rawJson: '[]' } : null);
  else if (lengthOf(values) > 255) values.errors.push(tooMany(values.path, lengthOf(values), 255));
  const numbers = indexed(values).map(numberOf);
  for (const [index, value] of indexed(values).entries()) {
    if (textOf(operator) === 'In' && numberOf(value) === 0n) addInvalid(value, 'must not be 0 for the In operator');
    if (numbers.indexOf(numberOf(value)) < index) addDuplicate(value);
  }
  if (numbers.some((value, index) => index > 0 && value < (numbers[index - 1] ?? value))) addInvalid(values, 'must be ordered');
}

function checkConditions(conditions: Place): void {
  if (lengthOf(conditions) > 20) conditions.errors.push(tooMany(conditions.path, lengthOf(conditions), 20));
  for (const pattern of indexed(conditions)) {
    checkName(at(pattern, 'type'), labelKeyProblems);
    checkListed(at(pattern, 'status'), ['False', 'True', 'Unknown']);
  }
}

function checkSuccessPolicy(spec: Place): void {
  const policy = at(spec, 'successPolicy');
  if (!isSet(policy)) return;
  if (textAt(spec, 'completionMode') !== 'Indexed') {
    addInvalid(policy, 'requires indexed completion mode', internalValue('batch/v1.SuccessPolicy', policy.value));
    return;
  }
  const rules = at(policy, 'rules');
  if (lengthOf(rules) === 0) addRequired(rules, 'at least one rules must be specified when the successPolicy is specified');
  if (lengthOf(rules) > 20) rules.errors.push(tooMany(rules.path, lengthOf(rules), 20));
  for (const rule of indexed(rules)) {
    const count = at(rule, 'succeededCount');
    if (!isSet(count) && !hasSet(rule, 'succeededIndexes'))
      addRequired(rule, 'at least one of succeededCount or succeededIndexes must be specified');
    if (!isSet(count)) continue;
    checkNonNegative(count);
    const completions = numberAt(spec, 'completions');
    if (numberOf(count) > completions)
      addInvalid(count, `must be less than or equal to ${completions} (the number of specified completions)`);
  }
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
  if (at(before, 'suspend').value !== true) keep('template');
  for (const name of ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy']) keep(name);
}

function checkCronJob(spec: Place, old: Place | undefined): void {
  const schedule = at(spec, 'schedule');
  if (textOf(schedule) === '') checkRequired(spec, 'schedule');
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
  const selector = at(job, 'selector');
  if (isSet(selector)) addInvalid(selector, '`selector` will be auto-generated', internalValue('meta/v1.LabelSelector', selector.value));
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
  const parts = name.split('/');
  for (const part of parts)
    if (part === '.' || part === '..' || part.startsWith('-') || !/^[A-Za-z._-]{1}[A-Za-z0-9._+-]*$/.test(part))
      addInvalid(zone, `unknown time zone ${name}`);
  if (name.toLowerCase() === 'local')
    addInvalid(zone, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones');
  if (!isLocation(name)) addInvalid(zone, `unknown time zone ${name}`);
}
