import { isDeepStrictEqual } from 'node:util';
import { intValueOf } from '../../../../kubernetes/int-or-string.js';
import { selectorOf, selects } from '../../../../kubernetes/label-selector.js';
import { dns1123LabelProblems } from '../../../../kubernetes/name-rules.js';
import type { Value } from '../../../../kubernetes/value.js';
import { internalValue } from '../go-value.js';
import { checkImmutable } from '../immutable.js';
import type { KindRules } from '../kind-rules.js';
import {
  addForbidden,
  addInvalid,
  addRequired,
  addUnsupported,
  at,
  hasSet,
  isSet,
  itemsAt,
  lengthOf,
  mapOf,
  numberAt,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../place.js';
import { checkPodTemplate } from '../pods/pod-template.js';
import { templateWarnings } from '../pods/pod-warnings.js';
import { checkLabelSelector, checkName, checkNonNegative, isEmptySelector } from '../rules.js';
import { checkClaimSpec } from '../storage/claim-spec.js';
import { checkIntOrPercent, checkNotMoreThanAll } from './int-or-percent.js';

/** Source: apps/validation ValidateDeployment. */
export const deploymentRules: KindRules = {
  create: object => checkDeployment(at(object, 'spec')),
  update: ['changes', object => checkDeployment(at(object, 'spec')), (object, old) => keepSelector(object, old, 'apps/v1.DeploymentSpec')],
  warnings: (object, old) => [
    ...nameWarning(object, old),
    ...ofChanged(object, old, () => templateWarnings(at(object, 'spec', 'template'))),
  ],
};

/** Source: apps/validation ValidateReplicaSet. */
export const replicaSetRules: KindRules = {
  create: object => checkReplicaSet(at(object, 'spec')),
  update: ['changes', object => checkReplicaSet(at(object, 'spec')), (object, old) => keepSelector(object, old, 'apps/v1.ReplicaSetSpec')],
  warnings: (object, old) => [
    ...nameWarning(object, old),
    ...ofChanged(object, old, () => templateWarnings(at(object, 'spec', 'template'))),
  ],
};

/** Source: apps/validation ValidateDaemonSet. */
export const daemonSetRules: KindRules = {
  create: object => checkDaemonSet(at(object, 'spec')),
  update: ['changes', (object, old) => keepSelector(object, old, 'apps/v1.DaemonSetSpec'), object => checkDaemonSet(at(object, 'spec'))],
  warnings: (object, old) => {
    const generation = (of: Place): string => textAt(of, 'metadata', 'annotations', 'deprecated.daemonset.template.generation');
    return old !== undefined && generation(object) === generation(old) ? [] : templateWarnings(at(object, 'spec', 'template'));
  },
};

/** Source: apps/validation ValidateStatefulSet. */
export const statefulSetRules: KindRules = {
  create: object => checkStatefulSet(at(object, 'spec'), true),
  update: ['changes', object => checkStatefulSet(at(object, 'spec'), false), keepStatefulSet],
  warnings: (object, old) => [
    ...ofChanged(object, old, () => templateWarnings(at(object, 'spec', 'template'))),
    ...(numberAt(object, 'spec', 'revisionHistoryLimit') < 0n
      ? ['spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended']
      : []),
  ],
};

/** Source: core/validation ValidateReplicationController. */
export const replicationControllerRules: KindRules = {
  create: object => checkReplicationController(at(object, 'spec')),
  update: ['changes', object => checkReplicationController(at(object, 'spec'))],
  warnings: (object, old) => [
    ...nameWarning(object, old),
    // On an update upstream takes the stored template for the new one.
    ...ofChanged(object, old, () => templateWarnings(at(old ?? object, 'spec', 'template'))),
  ],
};

/** Source: core/validation ValidatePodTemplate. */
export const podTemplateRules: KindRules = {
  create: object => checkPodTemplate(at(object, 'template')),
  update: ['changes', object => checkPodTemplate(at(object, 'template'))],
  warnings: (object, old) => ofChanged(object, old, () => templateWarnings(at(object, 'template'))),
};

/** Warnings about what an object makes: on an update only where a new generation counts. */
export function ofChanged(object: Place, old: Place | undefined, warnings: () => string[]): string[] {
  const generation = (of: Place): bigint => numberAt(of, 'metadata', 'generation');
  return old !== undefined && generation(object) === generation(old) ? [] : warnings();
}

/** Names of pods begin with that of their owner. */
export function nameWarning(object: Place, old: Place | undefined): string[] {
  const problems = old === undefined ? dns1123LabelProblems(textAt(object, 'metadata', 'name')) : [];
  if (problems.length === 0) return [];
  return [
    `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
  ];
}

/** The labels of a template must be what the selector asks for. */
export function checkSelected(spec: Place, selector: Value | undefined): void {
  const labels = at(spec, 'template', 'metadata', 'labels');
  const texts = new Map([...mapOf(labels)].map(([key, value]) => [key, String(value)] as const));
  if (selects(selectorOf(selector), texts)) return;
  addInvalid(labels, '`selector` does not match template `labels`', isSet(labels) ? sortedJson(labels) : null);
}

/** A map of texts as an error shows it, keys sorted. */
export function sortedJson(labels: Place): { readonly rawJson: string } {
  const sorted = [...mapOf(labels)].sort(([a], [b]) => (a < b ? -1 : 1));
  return { rawJson: JSON.stringify(Object.fromEntries(sorted)) };
}

/** Is a selector one that can be used at all? An unknown operator makes none. */
export function isUsableSelector(selector: Place): boolean {
  const copy: Place = { ...selector, errors: [] };
  checkLabelSelector(copy);
  return copy.errors.length === 0;
}

function keepSelector(object: Place, old: Place, type: string): void {
  checkImmutable(at(object, 'spec'), at(old, 'spec'), { type, name: 'selector' });
}

function checkRequiredSelector(spec: Place, kind: string): void {
  const selector = at(spec, 'selector');
  if (!isSet(selector)) {
    addRequired(selector);
    return;
  }
  checkLabelSelector(selector);
  if (isEmptySelector(selector))
    addInvalid(selector, `empty selector is invalid for ${kind}`, internalValue('meta/v1.LabelSelector', selector.value));
}

function checkTemplateOf(spec: Place, kind: string): void {
  checkPodTemplate(at(spec, 'template'));
  checkAlways(spec, kind);
}

function checkAlways(spec: Place, kind: string): void {
  const policy = at(spec, 'template', 'spec', 'restartPolicy');
  if (textOf(policy) !== 'Always') addUnsupported(policy, ['Always']);
  const deadline = at(spec, 'template', 'spec', 'activeDeadlineSeconds');
  if (isSet(deadline)) addForbidden(deadline, `activeDeadlineSeconds in ${kind} is not Supported`);
}

/** An absent selector selects nothing, and an empty one everything. */
function checkSelectedTemplate(spec: Place, kind: string): void {
  const selector = at(spec, 'selector');
  if (!isUsableSelector(selector)) {
    addInvalid(selector, 'invalid label selector', internalValue('meta/v1.LabelSelector', selector.value));
    return;
  }
  if (!isEmptySelector(selector)) checkSelected(spec, selector.value);
  checkTemplateOf(spec, kind);
}

function checkDeployment(spec: Place): void {
  checkNonNegative(at(spec, 'replicas'));
  checkRequiredSelector(spec, 'deployment');
  checkSelectedTemplate(spec, 'ReplicaSet');
  checkDeploymentStrategy(at(spec, 'strategy'));
  checkNonNegative(at(spec, 'minReadySeconds'));
  checkNonNegative(at(spec, 'revisionHistoryLimit'));
  const deadline = at(spec, 'progressDeadlineSeconds');
  if (!isSet(deadline)) return;
  checkNonNegative(deadline);
  if (numberOf(deadline) <= numberAt(spec, 'minReadySeconds')) addInvalid(deadline, 'must be greater than minReadySeconds');
}

function checkDeploymentStrategy(strategy: Place): void {
  const rolling = at(strategy, 'rollingUpdate');
  if (textAt(strategy, 'type') === 'Recreate') {
    if (isSet(rolling)) addForbidden(rolling, "may not be specified when strategy `type` is 'Recreate'");
  } else if (textAt(strategy, 'type') === 'RollingUpdate') {
    if (!isSet(rolling)) addRequired(rolling, 'this should be defaulted and never be nil');
    else {
      const [unavailable, surge] = [at(rolling, 'maxUnavailable'), at(rolling, 'maxSurge')];
      checkIntOrPercent(unavailable);
      checkIntOrPercent(surge);
      if (amountIn(unavailable) === 0n && amountIn(surge) === 0n)
        addInvalid(unavailable, 'may not be 0 when `maxSurge` is 0', unavailableValue(unavailable));
      checkNotMoreThanAll(unavailable);
    }
  } else addUnsupported(strategy, ['Recreate', 'RollingUpdate'], internalValue('apps/v1.DeploymentStrategy', strategy.value));
}

function unavailableValue(place: Place): string | bigint {
  return typeof place.value === 'string' ? place.value : numberOf(place);
}

/** A number, or that of a percentage; 0 for another text. Source: getIntOrPercentValue. */
function amountIn(place: Place): bigint {
  const { value } = place;
  if (typeof value === 'string') return /^[0-9]+%$/.test(value) ? BigInt(value.slice(0, -1)) : intValueOf(value);
  return numberOf(place);
}

function checkReplicaSet(spec: Place): void {
  checkNonNegative(at(spec, 'replicas'));
  checkNonNegative(at(spec, 'minReadySeconds'));
  checkRequiredSelector(spec, 'deployment');
  checkSelectedTemplate(spec, 'ReplicaSet');
}

function checkDaemonSet(spec: Place): void {
  const selector = at(spec, 'selector');
  checkLabelSelector(selector);
  if (isUsableSelector(selector)) checkSelected(spec, selector.value);
  if (isEmptySelector(selector))
    addInvalid(selector, 'empty selector is invalid for daemonset', internalValue('meta/v1.LabelSelector', selector.value));
  checkTemplateOf(spec, 'DaemonSet');
  checkNonNegative(at(spec, 'minReadySeconds'));
  checkDaemonSetStrategy(at(spec, 'updateStrategy'));
  checkNonNegative(at(spec, 'revisionHistoryLimit'));
}

function checkDaemonSetStrategy(strategy: Place): void {
  const type = textAt(strategy, 'type');
  if (type === 'OnDelete') return;
  if (type !== 'RollingUpdate') {
    addUnsupported(strategy, ['RollingUpdate', 'OnDelete'], internalValue('apps/v1.DaemonSetUpdateStrategy', strategy.value));
    return;
  }
  const rolling = at(strategy, 'rollingUpdate');
  if (!isSet(rolling)) {
    addRequired(rolling);
    return;
  }
  const [unavailable, surge] = [at(rolling, 'maxUnavailable'), at(rolling, 'maxSurge')];
  for (const place of [unavailable, surge]) checkIntOrPercent(place);
  for (const place of [unavailable, surge]) checkNotMoreThanAll(place);
  const [hasUnavailable, hasSurge] = [amountIn(unavailable) !== 0n, amountIn(surge) !== 0n];
  if (hasUnavailable && hasSurge) addInvalid(surge, 'may not be set when maxUnavailable is non-zero');
  else if (!hasUnavailable && !hasSurge) addRequired(unavailable, 'cannot be 0 when maxSurge is 0');
}

function checkStatefulSet(spec: Place, isNew: boolean): void {
  const management = at(spec, 'podManagementPolicy');
  if (textOf(management) === '') addRequired(management);
  else if (!['OrderedReady', 'Parallel'].includes(textOf(management))) addInvalid(management, "must be 'OrderedReady' or 'Parallel'");
  checkStatefulSetStrategy(at(spec, 'updateStrategy'));
  const retention = at(spec, 'persistentVolumeClaimRetentionPolicy');
  if (isSet(retention))
    for (const key of ['whenDeleted', 'whenScaled'])
      if (!['Retain', 'Delete'].includes(textAt(retention, key))) addUnsupported(at(retention, key), ['Retain', 'Delete']);
  if (isNew) for (const claim of itemsAt(spec, 'volumeClaimTemplates')) checkClaimSpec(at(claim, 'spec'));
  checkNonNegative(at(spec, 'replicas'));
  checkNonNegative(at(spec, 'minReadySeconds'));
  checkNonNegative(at(spec, 'ordinals', 'start'));
  if (isNew && textAt(spec, 'serviceName') !== '') checkName(at(spec, 'serviceName'), dns1123LabelProblems);
  checkRequiredSelector(spec, 'statefulset');
  checkStatefulTemplate(spec);
  checkAlways(spec, 'StatefulSet');
}

function checkStatefulTemplate(spec: Place): void {
  const selector = at(spec, 'selector');
  if (!isUsableSelector(selector)) {
    addInvalid(selector, '', internalValue('meta/v1.LabelSelector', selector.value));
    return;
  }
  if (!isEmptySelector(selector)) checkSelected(spec, selector.value);
  // Hostname and subdomain are the controller's own, and so are volumes of the names of its claims.
  const template = at(spec, 'template');
  const podSpec = new Map(mapOf(at(template, 'spec')));
  podSpec.delete('subdomain');
  podSpec.delete('hostname');
  const claims = itemsAt(spec, 'volumeClaimTemplates').map(claim => textAt(claim, 'metadata', 'name'));
  if (claims.length > 0) {
    const own = itemsAt(template, 'spec', 'volumes').filter(volume => !claims.includes(textAt(volume, 'name')));
    podSpec.set('volumes', [...[...new Set(claims)].map(claimVolume), ...own.map(volume => volume.value ?? null)]);
  }
  checkPodTemplate({ ...template, value: new Map([...mapOf(template), ['spec', podSpec]]) });
}

function claimVolume(name: string): Value {
  return new Map<string, Value>([
    ['name', name],
    ['persistentVolumeClaim', new Map([['claimName', name]])],
  ]);
}

function checkStatefulSetStrategy(strategy: Place): void {
  const [type, rolling] = [textAt(strategy, 'type'), at(strategy, 'rollingUpdate')];
  if (type === '') addRequired(strategy);
  else if (type === 'OnDelete') {
    if (isSet(rolling))
      addInvalid(
        rolling,
        "only allowed for updateStrategy 'RollingUpdate'",
        internalValue('apps/v1.RollingUpdateStatefulSetStrategy', rolling.value),
      );
  } else if (type === 'RollingUpdate') {
    checkNonNegative(at(rolling, 'partition'));
    const unavailable = at(rolling, 'maxUnavailable');
    if (!isSet(unavailable)) return;
    checkIntOrPercent(unavailable);
    if (amountIn(unavailable) === 0n) addInvalid(unavailable, 'cannot be 0');
    checkNotMoreThanAll(unavailable);
  } else addInvalid(strategy, "must be 'RollingUpdate' or 'OnDelete'", internalValue('apps/v1.StatefulSetUpdateStrategy', strategy.value));
}

const statefulSetChangeable = new Set([
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]);

function keepStatefulSet(object: Place, old: Place): void {
  const fixed = (place: Place): Value => new Map([...mapOf(at(place, 'spec'))].filter(([key]) => !statefulSetChangeable.has(key)));
  if (!isDeepStrictEqual(fixed(object), fixed(old)))
    addForbidden(
      at(object, 'spec'),
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    );
}

function checkReplicationController(spec: Place): void {
  checkNonNegative(at(spec, 'minReadySeconds'));
  const selector = at(spec, 'selector');
  if (lengthOf(selector) === 0) addRequired(selector);
  const replicas = at(spec, 'replicas');
  if (!isSet(replicas)) addRequired(replicas);
  else checkNonNegative(replicas);
  if (!hasSet(spec, 'template')) {
    addRequired(at(spec, 'template'));
    return;
  }
  if (lengthOf(selector) > 0) checkSelected(spec, new Map([['matchLabels', mapOf(selector)]]));
  checkTemplateOf(spec, 'ReplicationController');
}
