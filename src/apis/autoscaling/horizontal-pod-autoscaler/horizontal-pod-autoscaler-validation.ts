import { declared } from '../../../apiserver/registry/validation/declared.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import {
  addForbidden,
  addInvalid,
  addInvalidName,
  addRequired,
  addUnsupported,
  at,
  hasSet,
  isSet,
  itemsAt,
  lengthOf,
  numberAt,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { dns1123LabelProblems, pathSegmentProblems } from '../../../kubernetes/name-rules.js';
import { quantitySign } from '../../../kubernetes/quantity.js';
import { checkAmountSign, checkContainerResourceName } from '../../core/pod/validation/container-resources.js';

/** Source: autoscaling/validation ValidateHorizontalPodAutoscaler, of objects of version 2. */
export const autoscalerRules: KindRules = {
  create: autoscaler => checkAutoscaler(at(autoscaler, 'spec'), undefined),
  update: ['changes', (autoscaler, old) => checkAutoscaler(at(autoscaler, 'spec'), at(old, 'spec'))],
};

/** Validates a spec; some errors that the old object has are accepted. Source: kubernetes pkg/registry/autoscaling/horizontalpodautoscaler/strategy.go. */
function checkAutoscaler(spec: Place, old: Place | undefined): void {
  const [least, most] = [at(spec, 'minReplicas'), at(spec, 'maxReplicas')];
  const oldLeast = old === undefined ? undefined : at(old, 'minReplicas');
  const hadZero = oldLeast !== undefined && isSet(oldLeast) && numberOf(oldLeast) === 0n;
  const lowest = hadZero || spec.server.isEnabled('HPAScaleToZero') ? 0n : 1n;
  declared(least, oldLeast, () => {
    if (isSet(least) && numberOf(least) < lowest) addInvalid(least, `must be greater than or equal to ${lowest}`);
  });
  declared(most, old && at(old, 'maxReplicas'), isDeclared => checkMost(most, isDeclared));
  if (isSet(least) && numberOf(most) < numberOf(least)) addInvalid(most, 'must be greater than or equal to `minReplicas`', numberOf(most));
  checkReference(at(spec, 'scaleTargetRef'), targetVersion(spec, old));
  const described: VersionCheck = old !== undefined && hasInvalidVersion(old) ? 'none' : 'maybeCore';
  for (const metric of itemsAt(spec, 'metrics')) checkMetric(metric, described);
  const types = itemsAt(spec, 'metrics').map(metric => textAt(metric, 'type'));
  if (isSet(least) && numberOf(least) === 0n && !types.includes('Object') && !types.includes('External'))
    addForbidden(at(spec, 'metrics'), 'must specify at least one Object or External metric to support scaling to zero replicas');
  for (const direction of ['scaleUp', 'scaleDown']) checkScalingRules(at(spec, 'behavior', direction));
}

function checkMost(most: Place, isDeclared: boolean): void {
  if (!most.server.since('v1.36')) {
    if (numberOf(most) < 1n) addInvalid(most, 'must be greater than 0', numberOf(most));
  } else if (numberOf(most) === 0n) addRequired(most, isDeclared ? '' : 'must be set and greater than 0');
  else if (numberOf(most) < 0n) addInvalid(most, 'must be greater than or equal to 1');
}

/** How a reference's apiVersion is checked. */
type VersionCheck = 'withGroup' | 'maybeCore' | 'none';

/** Of the kinds of the core group, only replication controllers can be scaled. */
function targetVersion(spec: Place, old: Place | undefined): VersionCheck {
  const textIn = (place: Place, key: string): string => textAt(at(place, 'scaleTargetRef'), key);
  const isSame = old !== undefined && ['apiVersion', 'kind'].every(key => textIn(old, key) === textIn(spec, key));
  if (isSame) return 'none';
  return textIn(spec, 'kind') === 'ReplicationController' ? 'maybeCore' : 'withGroup';
}

/** Reports whether an object metric has an apiVersion that cannot be parsed. */
function hasInvalidVersion(spec: Place): boolean {
  return itemsAt(spec, 'metrics').some(
    metric => textAt(metric, 'type') === 'Object' && slashesIn(textAt(at(metric, 'object', 'describedObject'), 'apiVersion')) > 1,
  );
}

function slashesIn(version: string): number {
  return version.split('/').length - 1;
}

function checkReference(reference: Place, check: VersionCheck): void {
  for (const key of ['kind', 'name']) {
    const place = at(reference, key);
    if (textOf(place) === '') addRequired(place);
    else checkName(place, pathSegmentProblems);
  }
  const version = at(reference, 'apiVersion');
  const slashes = slashesIn(textOf(version));
  if (check === 'none') return;
  if (slashes > 1) addInvalid(version, `unexpected GroupVersion string: ${textOf(version)}`);
  else if (check === 'withGroup' && (slashes === 0 || textOf(version).startsWith('/')))
    addInvalid(version, 'apiVersion must specify API group');
}

const metricTypes = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
const sources = ['object', 'external', 'pods', 'resource', 'containerResource'] as const;

function checkMetric(metric: Place, described: VersionCheck): void {
  const type = at(metric, 'type');
  if (textOf(type) === '') addRequired(type, 'must specify a metric source type');
  const isKnown = metricTypes.includes(textOf(type));
  if (!isKnown) addUnsupported(type, metricTypes);
  const given = sources.filter(source => hasSet(metric, source));
  const [first] = given;
  if (first !== undefined) checkSource(at(metric, first), first, described);
  const expected = `${textOf(type).charAt(0).toLowerCase()}${textOf(type).slice(1)}`;
  if (!isKnown) addUnsupported(type, metricTypes);
  else if (!hasSet(metric, expected)) addRequired(at(metric, expected), 'must populate information for the given metric source');
  if (given.length !== 1)
    for (const source of given) if (source !== expected) addForbidden(at(metric, source), 'must populate the given metric source only');
}

function checkSource(source: Place, kind: (typeof sources)[number], described: VersionCheck): void {
  const target = at(source, 'target');
  const has = (name: string): boolean => hasSet(target, name);
  if (kind === 'object') checkReference(at(source, 'describedObject'), described);
  if (kind === 'resource' || kind === 'containerResource') {
    if (textAt(source, 'name') === '') addRequired(at(source, 'name'), 'must specify a resource name');
    else if (kind === 'containerResource') checkContainerResourceName(at(source, 'name'), textAt(source, 'name'));
    if (kind === 'containerResource') {
      if (textAt(source, 'container') === '') addRequired(at(source, 'container'), 'must specify a container');
      else checkName(at(source, 'container'), dns1123LabelProblems);
    }
    checkTarget(target);
    if (!has('averageUtilization') && !has('averageValue'))
      addRequired(at(target, 'averageUtilization'), 'must set either a target raw value or a target utilization');
    if (has('averageUtilization') && has('averageValue'))
      addForbidden(at(target, 'averageValue'), 'may not set both a target raw value and a target utilization');
    return;
  }
  const name = at(source, 'metric', 'name');
  if (textOf(name) === '') addRequired(name, 'must specify a metric name');
  else checkName(name, pathSegmentProblems);
  checkTarget(target);
  const average = at(target, 'averageValue');
  if (kind === 'pods') {
    if (!isSet(average)) addRequired(average, 'must specify a positive target averageValue');
  } else if (!has('value') && !isSet(average)) {
    const message =
      kind === 'object'
        ? 'must set either a target value or averageValue'
        : 'must set either a target value for metric or a per-pod target';
    addRequired(average, message);
  } else if (kind === 'external' && has('value') && isSet(average))
    addForbidden(at(target, 'value'), 'may not set both a target value for metric and a per-pod target');
}

function checkTarget(target: Place): void {
  const type = at(target, 'type');
  if (textOf(type) === '') addRequired(type, 'must specify a metric target type');
  if (!['Utilization', 'Value', 'AverageValue'].includes(textOf(type)))
    addInvalidName(type, 'must be either Utilization, Value, or AverageValue');
  for (const name of ['value', 'averageValue']) {
    const amount = at(target, name);
    if (isSet(amount) && quantitySign(textOf(amount)) !== 1) addInvalid(amount, 'must be positive');
  }
  const share = at(target, 'averageUtilization');
  if (isSet(share) && numberOf(share) < 1n) addInvalid(share, 'must be greater than 0');
}

function checkScalingRules(rules: Place): void {
  if (!isSet(rules)) return;
  const window = at(rules, 'stabilizationWindowSeconds');
  if (numberOf(window) < 0n) addInvalid(window, 'must be greater than or equal to zero');
  if (numberOf(window) > 3600n) addInvalid(window, 'must be less than or equal to 3600');
  const select = at(rules, 'selectPolicy');
  if (isSet(select) && !['Disabled', 'Max', 'Min'].includes(textOf(select))) addUnsupported(select, ['Disabled', 'Max', 'Min']);
  if (lengthOf(at(rules, 'policies')) === 0) addRequired(at(rules, 'policies'), 'must specify at least one Policy');
  for (const policy of itemsAt(rules, 'policies')) {
    if (!['Percent', 'Pods'].includes(textAt(policy, 'type'))) addUnsupported(at(policy, 'type'), ['Percent', 'Pods']);
    for (const name of ['value', 'periodSeconds'])
      if (numberAt(policy, name) <= 0n) addInvalid(at(policy, name), 'must be greater than zero', numberAt(policy, name));
    if (numberAt(policy, 'periodSeconds') > 1800n) addInvalid(at(policy, 'periodSeconds'), 'must be less than or equal to 1800');
  }
  checkAmountSign(at(rules, 'tolerance'));
}
