import { dns1123LabelProblems } from '../../../../kubernetes/name-rules.js';
import { internalValue } from '../go-value.js';
import { checkImmutable } from '../immutable.js';
import type { KindRules } from '../kind-rules.js';
import {
  addDuplicate,
  addForbidden,
  addInvalid,
  addRequired,
  addUnsupported,
  at,
  isSet,
  itemsAt,
  mapOf,
  numberAt,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../place.js';
import { checkResources } from '../pods/container-resources.js';
import { deprecatedLabels } from '../pods/node-labels.js';
import { checkTolerations } from '../pods/scheduling.js';
import { checkLabelSelector, checkLabels, checkName, checkNonNegative, checkOneOf } from '../rules.js';
import { checkIntOrPercent, checkNotMoreThanAll } from './int-or-percent.js';

/** Source: policy/validation ValidatePodDisruptionBudget. */
export const podDisruptionBudgetRules: KindRules = {
  create: budget => checkBudget(at(budget, 'spec')),
  metadataLast: true,
  update: [budget => checkBudget(at(budget, 'spec'))],
};

/** Source: coordination/validation ValidateLease. */
export const leaseRules: KindRules = {
  create: lease => checkLease(at(lease, 'spec')),
  update: ['changes', lease => checkLease(at(lease, 'spec'))],
};

/** Source: scheduling/validation ValidatePriorityClass. */
export const priorityClassRules: KindRules = { create: checkPriorityClass, update: ['changes', keepPriorityClass] };

/** Source: node/validation ValidateRuntimeClass. */
export const runtimeClassRules: KindRules = {
  create: checkRuntimeClass,
  update: [
    'metadata',
    checkRuntimeClass,
    'changes',
    (now, old) => checkImmutable(now, old, { type: 'node/v1.RuntimeClass', name: 'handler' }),
  ],
  warnings: runtimeClass => {
    const selector = at(runtimeClass, 'scheduling', 'nodeSelector');
    return [...mapOf(selector).keys()].flatMap(key =>
      deprecatedLabels[key] === undefined ? [] : [`${selector.path}: ${deprecatedLabels[key]}`],
    );
  },
};

/** A service account needs nothing but metadata. Source: kubernetes pkg/registry/core/serviceaccount/strategy.go. */
export const serviceAccountRules: KindRules = {
  create: () => undefined,
  update: ['changes', 'metadata'],
  warnings: (account, old) => {
    const key = 'kubernetes.io/enforce-mountable-secrets';
    const has = (place: Place): boolean => isSet(at(place, 'metadata', 'annotations', key));
    return has(account) && (old === undefined || !has(old))
      ? [`metadata.annotations[${key}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`]
      : [];
  },
};

/** Source: apps/validation ValidateControllerRevisionCreate. */
export const controllerRevisionRules: KindRules = {
  create: revision => {
    checkNonNegative(at(revision, 'revision'));
    checkRevisionData(at(revision, 'data'));
  },
  update: [
    'changes',
    'metadata',
    revision => checkNonNegative(at(revision, 'revision')),
    (now, old) => checkImmutable(now, old, { type: 'apps/v1.ControllerRevision', name: 'data' }),
  ],
};

function checkBudget(spec: Place): void {
  const [least, most] = [at(spec, 'minAvailable'), at(spec, 'maxUnavailable')];
  if (isSet(least) && isSet(most))
    addInvalid(spec, 'minAvailable and maxUnavailable cannot be both set', internalValue('policy/v1.PodDisruptionBudgetSpec', spec.value));
  for (const place of [least, most].filter(isSet)) {
    checkIntOrPercent(place);
    checkNotMoreThanAll(place);
  }
  checkLabelSelector(at(spec, 'selector'));
  const policy = at(spec, 'unhealthyPodEvictionPolicy');
  const known = ['AlwaysAllow', 'IfHealthyBudget'];
  if (isSet(policy) && !known.includes(textOf(policy))) addUnsupported(policy, known);
}

function checkLease(spec: Place): void {
  const [duration, transitions] = [at(spec, 'leaseDurationSeconds'), at(spec, 'leaseTransitions')];
  if (isSet(duration) && numberOf(duration) <= 0n) addInvalid(duration, 'must be greater than 0');
  checkNonNegative(transitions);
}

const systemClasses: ReadonlyMap<string, bigint> = new Map([
  ['system-node-critical', 2_000_001_000n],
  ['system-cluster-critical', 2_000_000_000n],
]);

function checkPriorityClass(place: Place): void {
  const [name, value] = [textAt(place, 'metadata', 'name'), numberAt(place, 'value')];
  if (name.startsWith('system-')) {
    const why = systemProblem(place, name);
    if (why !== undefined)
      addForbidden(
        at(place, 'metadata', 'name'),
        `priority class names with 'system-' prefix are reserved for system use only. error: ${why}`,
      );
  } else if (value > 1_000_000_000n) addForbidden(at(place, 'value'), 'maximum allowed value of a user defined priority is 1000000000');
  if (isSet(at(place, 'preemptionPolicy'))) checkOneOf(at(place, 'preemptionPolicy'), ['PreemptLowerPriority', 'Never']);
}

function systemProblem(place: Place, name: string): string | undefined {
  const value = systemClasses.get(name);
  if (value === undefined) return `${name} is not a known system priority class`;
  if (value !== numberAt(place, 'value')) return `value of ${name} PriorityClass must be ${value}`;
  return at(place, 'globalDefault').value === true ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function keepPriorityClass(now: Place, old: Place): void {
  if (numberAt(now, 'value') !== numberAt(old, 'value')) addForbidden(at(now, 'value'), 'may not be changed in an update.');
  checkImmutable(now, old, { type: 'scheduling/v1.PriorityClass', name: 'preemptionPolicy' });
}

function checkRuntimeClass(place: Place): void {
  const handler = at(place, 'handler');
  if (textOf(handler) === '') addRequired(handler);
  else checkName(handler, dns1123LabelProblems);
  const overhead = at(place, 'overhead');
  // The amounts are checked as limits and named so.
  if (isSet(overhead)) checkResources({ ...overhead, value: new Map([['limits', at(overhead, 'podFixed').value ?? null]]) }, new Set());
  const scheduling = at(place, 'scheduling');
  checkLabels(at(scheduling, 'nodeSelector'));
  checkTolerations(at(scheduling, 'tolerations'));
  const seen = new Set<string>();
  for (const toleration of itemsAt(scheduling, 'tolerations')) {
    const key = JSON.stringify(['key', 'operator', 'value', 'effect'].map(name => textAt(toleration, name)));
    if (seen.has(key)) addDuplicate(toleration, internalValue('core/v1.Toleration', toleration.value));
    seen.add(key);
  }
}

function checkRevisionData(data: Place): void {
  const { value } = data;
  const raw = typeof value === 'object' && value !== null && 'rawJson' in value ? value.rawJson : undefined;
  if (value instanceof Map) return;
  if (raw === undefined || raw === 'null') addRequired(data, 'data is mandatory');
  else if (!raw.startsWith('{')) addRequired(data, 'data must be a valid JSON object');
}
