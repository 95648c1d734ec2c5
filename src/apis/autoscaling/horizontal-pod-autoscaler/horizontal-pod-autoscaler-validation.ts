import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { dns1123LabelProblems, pathSegmentProblems } from '../../../kubernetes/name-rules.js';
import { quantitySign } from '../../../kubernetes/quantity.js';
import { checkAmountSign, checkContainerResourceName } from '../../core/pod/validation/container-resources.js';

/** Source: autoscaling/validation ValidateHorizontalPodAutoscaler, of objects of version 2. */
export const autoscalerRules: KindRules = {
  create: autoscaler => checkAutoscaler(autoscaler.child('spec'), undefined),
  update: ['changes', (autoscaler, old) => checkAutoscaler(autoscaler.child('spec'), old.child('spec'))],
};

/** Validates a spec; some errors that the old object has are accepted. Source: kubernetes pkg/registry/autoscaling/horizontalpodautoscaler/strategy.go. */
function checkAutoscaler(spec: FieldPath, old: FieldPath | undefined): void {
  const [least, most] = [spec.child('minReplicas'), spec.child('maxReplicas')];
  const oldLeast = old?.child('minReplicas');
  const hadZero = oldLeast?.isSet() && oldLeast.number() === 0n;
  const lowest = hadZero || spec.server.isEnabled('HPAScaleToZero') ? 0n : 1n;
  if (least.isSet() && least.number() < lowest) least.invalid(`must be greater than or equal to ${lowest}`);
  checkMost(most);
  if (least.isSet() && most.number() < least.number()) most.invalid(most.number(), 'must be greater than or equal to `minReplicas`');
  checkReference(spec.child('scaleTargetRef'), targetVersion(spec, old));
  const described: VersionCheck = old !== undefined && hasInvalidVersion(old) ? 'none' : 'maybeCore';
  for (const metric of spec.items('metrics')) checkMetric(metric, described);
  const types = spec.items('metrics').map(metric => metric.text('type'));
  if (least.isSet() && least.number() === 0n && !types.includes('Object') && !types.includes('External'))
    spec.child('metrics').forbidden('must specify at least one Object or External metric to support scaling to zero replicas');
  for (const direction of ['scaleUp', 'scaleDown']) checkScalingRules(spec.child('behavior', direction));
}

function checkMost(most: FieldPath): void {
  if (!most.server.since('v1.36')) {
    if (most.number() < 1n) most.invalid(most.number(), 'must be greater than 0');
  } else if (most.number() === 0n) most.required('must be set and greater than 0');
  else if (most.number() < 0n) most.invalid('must be greater than or equal to 1');
}

/** How a reference's apiVersion is checked. */
type VersionCheck = 'withGroup' | 'maybeCore' | 'none';

/** Of the kinds of the core group, only replication controllers can be scaled. */
function targetVersion(spec: FieldPath, old: FieldPath | undefined): VersionCheck {
  const textIn = (field: FieldPath, key: string): string => field.child('scaleTargetRef').text(key);
  const isSame = old !== undefined && ['apiVersion', 'kind'].every(key => textIn(old, key) === textIn(spec, key));
  if (isSame) return 'none';
  return textIn(spec, 'kind') === 'ReplicationController' ? 'maybeCore' : 'withGroup';
}

/** Reports whether an object metric has an apiVersion that cannot be parsed. */
function hasInvalidVersion(spec: FieldPath): boolean {
  return spec
    .items('metrics')
    .some(metric => metric.text('type') === 'Object' && slashesIn(metric.child('object', 'describedObject').text('apiVersion')) > 1);
}

function slashesIn(version: string): number {
  return version.split('/').length - 1;
}

function checkReference(reference: FieldPath, check: VersionCheck): void {
  for (const key of ['kind', 'name']) {
    const field = reference.child(key);
    if (field.text() === '') field.required();
    else checkName(field, pathSegmentProblems);
  }
  const version = reference.child('apiVersion');
  const slashes = slashesIn(version.text());
  if (check === 'none') return;
  if (slashes > 1) version.invalid(`unexpected GroupVersion string: ${version.text()}`);
  else if (check === 'withGroup' && (slashes === 0 || version.text().startsWith('/'))) version.invalid('apiVersion must specify API group');
}

const metricTypes = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
const sources = ['object', 'external', 'pods', 'resource', 'containerResource'] as const;

function checkMetric(metric: FieldPath, described: VersionCheck): void {
  const type = metric.child('type');
  if (type.text() === '') type.required('must specify a metric source type');
  const isKnown = metricTypes.includes(type.text());
  if (!isKnown) type.notSupported(metricTypes);
  const given = sources.filter(source => metric.has(source));
  const [first] = given;
  if (first !== undefined) checkSource(metric.child(first), first, described);
  const expected = `${type.text().charAt(0).toLowerCase()}${type.text().slice(1)}`;
  if (!isKnown) type.notSupported(metricTypes);
  else if (!metric.has(expected)) metric.child(expected).required('must populate information for the given metric source');
  if (given.length !== 1)
    for (const source of given) if (source !== expected) metric.child(source).forbidden('must populate the given metric source only');
}

function checkSource(source: FieldPath, kind: (typeof sources)[number], described: VersionCheck): void {
  const target = source.child('target');
  const has = (name: string): boolean => target.has(name);
  if (kind === 'object') checkReference(source.child('describedObject'), described);
  if (kind === 'resource' || kind === 'containerResource') {
    if (source.text('name') === '') source.child('name').required('must specify a resource name');
    else if (kind === 'containerResource') checkContainerResourceName(source.child('name'), source.text('name'));
    if (kind === 'containerResource') {
      if (source.text('container') === '') source.child('container').required('must specify a container');
      else checkName(source.child('container'), dns1123LabelProblems);
    }
    checkTarget(target);
    if (!has('averageUtilization') && !has('averageValue'))
      target.child('averageUtilization').required('must set either a target raw value or a target utilization');
    if (has('averageUtilization') && has('averageValue'))
      target.child('averageValue').forbidden('may not set both a target raw value and a target utilization');
    return;
  }
  const name = source.child('metric', 'name');
  if (name.text() === '') name.required('must specify a metric name');
  else checkName(name, pathSegmentProblems);
  checkTarget(target);
  const average = target.child('averageValue');
  if (kind === 'pods') {
    if (!average.isSet()) average.required('must specify a positive target averageValue');
  } else if (!has('value') && !average.isSet()) {
    const message =
      kind === 'object'
        ? 'must set either a target value or averageValue'
        : 'must set either a target value for metric or a per-pod target';
    average.required(message);
  } else if (kind === 'external' && has('value') && average.isSet())
    target.child('value').forbidden('may not set both a target value for metric and a per-pod target');
}

function checkTarget(target: FieldPath): void {
  const type = target.child('type');
  if (type.text() === '') type.required('must specify a metric target type');
  if (!['Utilization', 'Value', 'AverageValue'].includes(type.text()))
    type.invalidName('must be either Utilization, Value, or AverageValue');
  for (const name of ['value', 'averageValue']) {
    const amount = target.child(name);
    if (amount.isSet() && quantitySign(amount.text()) !== 1) amount.invalid('must be positive');
  }
  const share = target.child('averageUtilization');
  if (share.isSet() && share.number() < 1n) share.invalid('must be greater than 0');
}

function checkScalingRules(rules: FieldPath): void {
  if (!rules.isSet()) return;
  const window = rules.child('stabilizationWindowSeconds');
  if (window.number() < 0n) window.invalid('must be greater than or equal to zero');
  if (window.number() > 3600n) window.invalid('must be less than or equal to 3600');
  const select = rules.child('selectPolicy');
  if (select.isSet() && !['Disabled', 'Max', 'Min'].includes(select.text())) select.notSupported(['Disabled', 'Max', 'Min']);
  if (rules.child('policies').length() === 0) rules.child('policies').required('must specify at least one Policy');
  for (const policy of rules.items('policies')) {
    if (!['Percent', 'Pods'].includes(policy.text('type'))) policy.child('type').notSupported(['Percent', 'Pods']);
    for (const name of ['value', 'periodSeconds'])
      if (policy.number(name) <= 0n) policy.child(name).invalid(policy.number(name), 'must be greater than zero');
    if (policy.number('periodSeconds') > 1800n) policy.child('periodSeconds').invalid('must be less than or equal to 1800');
  }
  checkAmountSign(rules.child('tolerance'));
}
