import { declared } from '../../../apiserver/registry/validation/declared.js';
import { checkImmutable, memberValue } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import {
  addDuplicate,
  addInvalid,
  addRequired,
  addUnsupported,
  at,
  badValueOf,
  entriesAt,
  flagAt,
  hasSet,
  indexed,
  isSet,
  lengthOf,
  numberAt,
  type Place,
  textAt,
  textOf,
  textsOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { goString } from '../../../go/json/write.js';
import { quote } from '../../../go/quote.js';
import type { RawJson } from '../../../go/value.js';
import { tooMany } from '../../../kubernetes/field-error.js';
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
    const driver = textAt(slice, 'spec', 'driver');
    const message = `spec.driver: driver names should be lowercase; ${quote(driver)} contains uppercase characters`;
    return slice.server.until('v1.34') || driver === driver.toLowerCase() ? [] : [message];
  },
};

function checkSlice(slice: Place, old?: Place): void {
  const spec = at(slice, 'spec');
  checkDriverName(at(spec, 'driver'));
  checkPool(at(spec, 'pool'));
  if (old !== undefined) checkKept(spec, at(old, 'spec'));
  checkPlacement(spec);
  const [devices, counters] = [at(spec, 'devices'), at(spec, 'sharedCounters')];
  checkSkippedOperations(at(spec, 'skipNodeOperations'));
  if (slice.server.since('v1.35') && isSet(devices) && isSet(counters))
    addInvalid(spec, 'only one of `sharedCounters` or `devices` is allowed', '');
  const isAdvanced =
    slice.server.since('v1.35') &&
    indexed(devices).some(device => ['taints', 'consumesCounters'].some(name => lengthOf(memberOf(device, name)) > 0));
  const perDevice = flagAt(spec, 'perDeviceNodeSelection');
  checkSet(devices, isAdvanced ? 64 : 128, {
    check: device => checkDevice(device, perDevice),
    key: device => textAt(device, 'name'),
    member: 'name',
  });
  checkSet(counters, 8, { check: set => checkCounters(set, 'name'), key: set => textAt(set, 'name'), member: 'name' });
}

function checkPool(pool: Place): void {
  checkPoolName(at(pool, 'name'));
  const [count, generation] = [numberAt(pool, 'resourceSliceCount'), numberAt(pool, 'generation')];
  if (count <= 0n) addInvalid(at(pool, 'resourceSliceCount'), 'must be greater than zero', count);
  if (generation < 0n) addInvalid(at(pool, 'generation'), 'must be greater than or equal to zero', generation);
}

function checkKept(spec: Place, old: Place): void {
  checkImmutable(at(spec, 'pool'), at(old, 'pool'), { type: 'resource/v1.ResourcePool', name: 'name' });
  for (const name of ['driver', 'nodeName']) checkImmutable(spec, old, { type: 'resource/v1.ResourceSliceSpec', name });
}

/** Validates the node selection: exactly one of its forms must be set. */
function checkPlacement(spec: Place): void {
  const given = checkNodes(spec, 'must be either unset or set to a non-empty string');
  checkOneTerm(spec);
  checkAllNodes(spec, given);
  const perDevice = at(spec, 'perDeviceNodeSelection');
  if (perDevice.value === true) given.push('`perDeviceNodeSelection`');
  else if (isSet(perDevice)) addInvalid(perDevice, 'must be either unset or set to true');
  const message = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';
  if (given.length === 0) addRequired(spec, message);
  else if (given.length > 1) addInvalid(spec, `${message}, but multiple fields are set`, `{${given.join(', ')}}`);
}

function checkOneTerm(place: Place): void {
  const terms = at(place, 'nodeSelector', 'nodeSelectorTerms');
  if (!hasSet(place, 'nodeSelector') || lengthOf(terms) === 1) return;
  const shown = memberValue(place.server, terms.value, { type: 'core/v1.NodeSelector', name: 'nodeSelectorTerms' });
  addInvalid(terms, 'must have exactly one node selector term', shown);
}

function checkNodes(place: Place, message: string): string[] {
  const [name, selector] = [at(place, 'nodeName'), at(place, 'nodeSelector')];
  if (isSet(name)) {
    if (textOf(name) === '') addInvalid(name, message);
    else checkName(name, dns1123SubdomainProblems);
  }
  if (isSet(selector)) checkNodeSelector(selector);
  return [...(textOf(name) === '' ? [] : ['`nodeName`']), ...(isSet(selector) ? ['`nodeSelector`'] : [])];
}

function checkAllNodes(place: Place, given: string[]): void {
  const all = at(place, 'allNodes');
  if (all.value === true) given.push('`allNodes`');
  else if (isSet(all)) addInvalid(all, 'must be either unset or set to true');
}

/** Returns a device's member; the first version has it in `basic`. */
function memberOf(device: Place, name: string): Place {
  return at(innerOf(device), name);
}

function innerOf(device: Place): Place {
  return hasSet(device, 'basic') ? { ...device, value: at(device, 'basic').value } : device;
}

function checkDevice(device: Place, perDevice: boolean): void {
  const { errors, path } = device;
  const before = errors.length;
  checkDeviceParts(device, perDevice);
  if (!hasSet(device, 'basic')) return;
  // Declarative validation names members as the version of the request does.
  for (const [i, error] of errors.entries())
    if (i >= before && error.declared === true && error.field.startsWith(`${path}.`))
      errors[i] = { ...error, field: `${path}.basic${error.field.slice(path.length)}` };
}

function checkDeviceParts(device: Place, perDevice: boolean): void {
  checkName(at(device, 'name'), dns1123LabelProblems);
  const inner = innerOf(device);
  const [attributes, capacities] = [at(inner, 'attributes'), at(inner, 'capacity')];
  const count = lengthOf(attributes) + lengthOf(capacities);
  if (count > 32) addInvalid(device, 'the total number of attributes and capacities must not exceed 32', BigInt(count));
  for (const [key, attribute] of entriesAt(inner, 'attributes')) {
    checkQualifiedName(keyPlace(attributes, key));
    checkAttribute(attribute);
  }
  const isShared = flagAt(inner, 'allowMultipleAllocations');
  for (const [key, capacity] of entriesAt(inner, 'capacity')) {
    checkQualifiedName(keyPlace(capacities, key));
    checkCapacity(capacity, isShared);
  }
  checkItems(at(inner, 'taints'), 16, taint => checkDeviceTaint(taint));
  checkSet(at(inner, 'consumesCounters'), 2, {
    check: set => checkCounters(set, 'counterSet'),
    key: set => textAt(set, 'counterSet'),
    member: 'counterSet',
    struct: 'resource/v1.DeviceCounterConsumption',
  });
  checkDevicePlacement(inner, perDevice);
  checkBinding(inner);
  checkNodeResources(inner);
}

function checkDevicePlacement(device: Place, perDevice: boolean): void {
  if (!perDevice) {
    if (['nodeName', 'nodeSelector', 'allNodes'].some(name => hasSet(device, name)))
      addInvalid(
        device,
        '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
        null,
      );
    return;
  }
  const given = checkNodes(device, 'must not be empty');
  if (device.server.since('v1.38')) checkOneTerm(device);
  checkAllNodes(device, given);
  const message =
    'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
  if (given.length === 0) addRequired(device, message);
  else if (given.length > 1) addInvalid(device, message, `{${given.join(', ')}}`);
}

/** Validates a set of counters, or the consumption of one. */
function checkCounters(set: Place, nameMember: string): void {
  const [name, counters] = [at(set, nameMember), at(set, 'counters')];
  declared(name, undefined, () => {
    if (textOf(name) === '') addRequired(name);
    else checkName(name, dns1123LabelProblems);
  });
  const count = lengthOf(counters);
  if (count === 0) declared(counters, undefined, () => addRequired(counters));
  else if (count > 32) counters.errors.push(tooMany(counters.path, count, 32));
  else
    for (const [key] of entriesAt(set, 'counters'))
      declared(counters, undefined, () => checkName(keyPlace(counters, key), dns1123LabelProblems));
}

/** Validates the conditions for binding a device. Source: resource/validation validateDeviceBindingParameters. */
export function checkBinding(device: Place): void {
  const [ready, failed] = [at(device, 'bindingConditions'), at(device, 'bindingFailureConditions')];
  for (const list of [ready, failed])
    checkItems(list, 4, condition => checkName(condition, text => labelKeyProblems(condition.server, text)));
  for (const list of [ready, failed]) {
    const seen = new Set<string>();
    for (const condition of indexed(list)) {
      if (seen.has(textOf(condition))) addDuplicate(condition);
      seen.add(textOf(condition));
      if (list === failed && textsOf(ready).includes(textOf(condition)))
        addInvalid(condition, 'bindingFailureConditions must not overlap with bindingConditions');
    }
  }
  if (lengthOf(ready) === 0 && lengthOf(failed) > 0)
    addInvalid(ready, 'bindingConditions are required to use bindingFailureConditions', badValueOf(ready.value ?? null));
  if (lengthOf(failed) === 0 && lengthOf(ready) > 0)
    addInvalid(failed, 'bindingFailureConditions are required to use bindingConditions', badValueOf(failed.value ?? null));
}

/** Source: resource/validation validateSkipNodeOperations. */
function checkSkippedOperations(operations: Place): void {
  const given = indexed(operations).map(textOf);
  if (given.includes('NodePrepareResources') && !given.includes('NodeUnprepareResources') && !given.includes('*'))
    addInvalid(operations, 'NodePrepareResources cannot be skipped unless NodeUnprepareResources is also skipped');
  declared(operations, undefined, () => {
    for (const [index, operation] of indexed(operations).entries())
      if (given.indexOf(textOf(operation)) < index) addDuplicate(operation, jsonOf(operation));
    for (const operation of indexed(operations)) if (!known.includes(textOf(operation))) addUnsupported(operation, known);
  });
}

const known = ['*', 'NodePrepareResources', 'NodeUnprepareResources'];

function jsonOf(text: Place): RawJson {
  return { rawJson: goString(textOf(text)) };
}
