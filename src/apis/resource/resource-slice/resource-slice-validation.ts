import { badValueOf, type FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { checkImmutable, memberValue, sameMember } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { quote } from '../../../go/quote.js';
import { dns1123LabelProblems, dns1123SubdomainProblems, labelKeyProblems } from '../../../kubernetes/name-rules.js';
import { checkNodeSelector } from '../../core/pod/validation/affinity.js';
import { checkDriverName } from '../../core/pod/validation/volume-sources.js';
import { checkDeviceTaint } from '../claimed-devices.js';
import { checkAttribute, checkCapacity } from '../device-attributes.js';
import { checkItems, checkPoolName, checkQualifiedName, checkSet, keyPlace } from '../device-names.js';
import { checkNodeResources } from './node-resources.js';

/** Source: resource/validation ValidateResourceSlice. */
export const resourceSliceRules: KindRules = {
  create: slice => checkSlice(slice),
  update: ['changes', checkSlice],
  warnings: slice => {
    const driver = slice.text('spec', 'driver');
    const message = `spec.driver: driver names should be lowercase; ${quote(driver)} contains uppercase characters`;
    return slice.server.until('v1.34') || driver === driver.toLowerCase() ? [] : [message];
  },
};

function checkSlice(slice: FieldPath, old?: FieldPath): void {
  const spec = slice.child('spec');
  checkDriverName(spec.child('driver'));
  checkPool(spec.child('pool'));
  if (old !== undefined) checkKept(spec, old.child('spec'));
  checkPlacement(spec);
  const [devices, counters] = [spec.child('devices'), spec.child('sharedCounters')];
  checkSkippedOperations(spec.child('skipNodeOperations'));
  if (slice.server.since('v1.35') && devices.isSet() && counters.isSet())
    spec.invalid('', 'only one of `sharedCounters` or `devices` is allowed');
  const isAdvanced =
    slice.server.since('v1.35') &&
    devices.items().some(device => ['taints', 'consumesCounters'].some(name => memberOf(device, name).length() > 0) || hasLists(device));
  checkDevices(spec, isAdvanced ? 64 : 128, old?.child('spec'));
  checkSet(counters, 8, { check: set => checkCounters(set, 'name'), key: set => set.text('name'), member: 'name' });
}

/**
 * Validates devices. Since v1.38 those that an update leaves as they are stored are not validated again, and their nodes only if
 * `perDeviceNodeSelection` changes; before, the capacity (since v1.37) and the taints (since v1.35) of a device that keeps them are not.
 */
function checkDevices(spec: FieldPath, maximum: number, old: FieldPath | undefined): void {
  const { server } = spec;
  const devices = spec.child('devices');
  const isKept = (name: string): boolean => server.since('v1.38') && old !== undefined && keepsMember(spec, old, 'ResourceSliceSpec', name);
  const perDevice = spec.flag('perDeviceNodeSelection');
  const before = server.since('v1.38') ? [] : (old?.items('devices') ?? []);
  const check = (device: FieldPath): void => {
    const stored = before.find(each => each.text('name') === device.text('name'));
    checkDevice(device, stored, server.since('v1.38') ? undefined : perDevice);
  };
  if (!isKept('devices')) checkSet(devices, maximum, { check, key: device => device.text('name'), member: 'name' });
  if (server.since('v1.38') && !(isKept('devices') && isKept('perDeviceNodeSelection')))
    for (const device of devices.items()) checkDevicePlacement(innerOf(device), perDevice);
}

/** Reports whether a member of a struct of `resource/v1` is as it was. */
function keepsMember(now: FieldPath, old: FieldPath, struct: string, name: string): boolean {
  return sameMember(now.server, now.child(name).value, old.child(name).value, { type: `resource/v1.${struct}`, name });
}

function checkPool(pool: FieldPath): void {
  checkPoolName(pool.child('name'));
  const [count, generation] = [pool.number('resourceSliceCount'), pool.number('generation')];
  if (count <= 0n) pool.child('resourceSliceCount').invalid(count, 'must be greater than zero');
  if (generation < 0n) pool.child('generation').invalid(generation, 'must be greater than or equal to zero');
}

function checkKept(spec: FieldPath, old: FieldPath): void {
  checkImmutable(spec.child('pool'), old.child('pool'), { type: 'resource/v1.ResourcePool', name: 'name' });
  for (const name of ['driver', 'nodeName']) checkImmutable(spec, old, { type: 'resource/v1.ResourceSliceSpec', name });
}

/** Validates the node selection: exactly one of its forms must be set. */
function checkPlacement(spec: FieldPath): void {
  const given = checkNodes(spec, 'must be either unset or set to a non-empty string');
  checkOneTerm(spec);
  checkAllNodes(spec, given);
  const perDevice = spec.child('perDeviceNodeSelection');
  if (perDevice.value === true) given.push('`perDeviceNodeSelection`');
  else if (perDevice.isSet()) perDevice.invalid('must be either unset or set to true');
  const message = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';
  if (given.length === 0) spec.required(message);
  else if (given.length > 1) spec.invalid(`{${given.join(', ')}}`, `${message}, but multiple fields are set`);
}

function checkOneTerm(field: FieldPath): void {
  const terms = field.child('nodeSelector', 'nodeSelectorTerms');
  if (!field.has('nodeSelector') || terms.length() === 1) return;
  const shown = memberValue(field.server, terms.value, { type: 'core/v1.NodeSelector', name: 'nodeSelectorTerms' });
  terms.invalid(shown, 'must have exactly one node selector term');
}

function checkNodes(field: FieldPath, message: string): string[] {
  const [name, selector] = [field.child('nodeName'), field.child('nodeSelector')];
  if (name.isSet()) {
    if (name.text() === '') name.invalid(message);
    else checkName(name, dns1123SubdomainProblems);
  }
  if (selector.isSet()) checkNodeSelector(selector);
  return [...(name.text() === '' ? [] : ['`nodeName`']), ...(selector.isSet() ? ['`nodeSelector`'] : [])];
}

function checkAllNodes(field: FieldPath, given: string[]): void {
  const all = field.child('allNodes');
  if (all.value === true) given.push('`allNodes`');
  else if (all.isSet()) all.invalid('must be either unset or set to true');
}

/** Returns a device's member; the first version has it in `basic`. */
function memberOf(device: FieldPath, name: string): FieldPath {
  return innerOf(device).child(name);
}

function innerOf(device: FieldPath): FieldPath {
  return device.has('basic') ? device.withValue(device.child('basic').value) : device;
}

const attributeLists = ['ints', 'bools', 'strings', 'versions'];

/** Reports whether an attribute of a device is a list. Source: resource/validation haveListAttributes. */
function hasLists(device: FieldPath): boolean {
  return innerOf(device)
    .entries('attributes')
    .some(([, attribute]) => attributeLists.some(name => attribute.has(name)));
}

/** Validates how many values the attributes of a device have. Source: resource/validation numEntriesDeviceAttribute. */
function checkValueCount(device: FieldPath): void {
  const counts = innerOf(device)
    .entries('attributes')
    .map(([, attribute]) =>
      Math.max(
        1,
        attributeLists.reduce((sum, name) => sum + attribute.child(name).length(), 0),
      ),
    );
  const count = counts.reduce((sum, each) => sum + each, 0);
  if (count > 48) device.invalid(BigInt(count), 'the total number of attribute values must not exceed 48');
}

function checkDevice(device: FieldPath, stored: FieldPath | undefined, perDevice: boolean | undefined): void {
  checkName(device.child('name'), dns1123LabelProblems);
  const inner = innerOf(device);
  const [attributes, capacities] = [inner.child('attributes'), inner.child('capacity')];
  const count = attributes.length() + capacities.length();
  if (count > 32) device.invalid(BigInt(count), 'the total number of attributes and capacities must not exceed 32');
  if (device.server.since('v1.36')) checkValueCount(device);
  for (const [key, attribute] of inner.entries('attributes')) {
    checkQualifiedName(keyPlace(attributes, key));
    checkAttribute(attribute);
  }
  const isShared = inner.flag('allowMultipleAllocations');
  const isKept = (name: string): boolean => stored !== undefined && keepsMember(inner, innerOf(stored), 'Device', name);
  for (const [key, capacity] of device.server.since('v1.37') && isKept('capacity') ? [] : inner.entries('capacity')) {
    checkQualifiedName(keyPlace(capacities, key));
    checkCapacity(capacity, isShared);
  }
  if (!(device.server.since('v1.35') && isKept('taints'))) checkItems(inner.child('taints'), 16, taint => checkDeviceTaint(taint));
  checkSet(inner.child('consumesCounters'), 2, {
    check: set => checkCounters(set, 'counterSet'),
    key: set => set.text('counterSet'),
    member: 'counterSet',
  });
  if (perDevice !== undefined) checkDevicePlacement(inner, perDevice);
  checkBinding(inner);
  checkNodeResources(inner);
}

function checkDevicePlacement(device: FieldPath, perDevice: boolean): void {
  if (!perDevice) {
    if (['nodeName', 'nodeSelector', 'allNodes'].some(name => device.has(name)))
      device.invalid(
        null,
        '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
      );
    return;
  }
  const given = checkNodes(device, 'must not be empty');
  if (device.server.since('v1.38')) checkOneTerm(device);
  checkAllNodes(device, given);
  const message =
    'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
  if (given.length === 0) device.required(message);
  else if (given.length > 1) device.invalid(`{${given.join(', ')}}`, message);
}

/** Validates a set of counters, or the consumption of one. */
function checkCounters(set: FieldPath, nameMember: string): void {
  const [name, counters] = [set.child(nameMember), set.child('counters')];
  if (name.text() === '') name.required();
  else checkName(name, dns1123LabelProblems);
  const count = counters.length();
  if (count === 0) counters.required();
  else if (count > 32) counters.tooMany(count, 32);
  else for (const [key] of set.entries('counters')) checkName(keyPlace(counters, key), dns1123LabelProblems);
}

/** Validates the conditions for binding a device. Source: resource/validation validateDeviceBindingParameters. */
export function checkBinding(device: FieldPath): void {
  const [ready, failed] = [device.child('bindingConditions'), device.child('bindingFailureConditions')];
  for (const list of [ready, failed])
    checkItems(list, 4, condition => checkName(condition, text => labelKeyProblems(condition.server, text)));
  for (const list of [ready, failed]) {
    const seen = new Set<string>();
    for (const condition of list.items()) {
      if (seen.has(condition.text())) condition.duplicate();
      seen.add(condition.text());
      if (list === failed && ready.texts().includes(condition.text()))
        condition.invalid('bindingFailureConditions must not overlap with bindingConditions');
    }
  }
  if (ready.length() === 0 && failed.length() > 0)
    ready.invalid(badValueOf(ready.value ?? null), 'bindingConditions are required to use bindingFailureConditions');
  if (failed.length() === 0 && ready.length() > 0)
    failed.invalid(badValueOf(failed.value ?? null), 'bindingFailureConditions are required to use bindingConditions');
}

/** Source: resource/validation validateSkipNodeOperations. */
function checkSkippedOperations(operations: FieldPath): void {
  const given = operations.items().map(field => field.text());
  if (given.includes('NodePrepareResources') && !given.includes('NodeUnprepareResources') && !given.includes('*'))
    operations.invalid('NodePrepareResources cannot be skipped unless NodeUnprepareResources is also skipped');
}
