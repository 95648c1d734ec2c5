import { declared } from '../../apiserver/registry/validation/declared.js';
import { internalValue } from '../../apiserver/registry/validation/go-value.js';
import {
  addForbidden,
  addInvalid,
  addRequired,
  at,
  hasSet,
  indexed,
  isSet,
  lengthOf,
  type Place,
  textAt,
  textOf,
} from '../../apiserver/registry/validation/place.js';
import { semanticVersion } from '../../apiserver/registry/validation/semantic-version.js';
import { tooLong } from '../../kubernetes/field-error.js';
import { addQuantities, compareQuantities, parseQuantity, quantityText, quantityValue } from '../../kubernetes/quantity.js';
import { checkSet } from './device-names.js';

/** Validates one value of a device's attribute. Source: resource/validation validateDeviceAttribute. */
export function checkAttribute(attribute: Place): void {
  const [text, version] = [at(attribute, 'string'), at(attribute, 'version')];
  if (isSet(version)) checkVersion(version);
  for (const place of [text, version]) if (Buffer.byteLength(textOf(place)) > 64) place.errors.push(tooLong(place.path, 64));
  const names = attribute.server.since('v1.37') ? values : values.slice(0, 4);
  const count = names.filter(name => hasSet(attribute, name)).length;
  if (count === 1) return;
  if (count === 0 && !attribute.server.since('v1.35')) {
    addRequired(attribute, 'exactly one value must be specified');
    return;
  }
  declared(attribute, undefined, isDeclared => {
    if (isDeclared) addUnionError(attribute);
    else addCountError(attribute, count);
  });
}

/** Since v1.38 numbers are limited, because CEL reads them as integers. */
function checkVersion(version: Place): void {
  const parsed = semanticVersion(textOf(version));
  const isLimited = version.server.since('v1.38');
  const numbers = [...(parsed?.numbers.map(String) ?? []), ...(parsed?.preRelease.filter(part => /^\d+$/.test(part)) ?? [])];
  if (parsed !== undefined && !(isLimited && numbers.some(number => number.length > 18))) return;
  const limit = isLimited ? ', with at most 18 digits in numbers' : '';
  addInvalid(version, `must be a string compatible with semver.org spec 2.0.0${limit}`);
}

const values = ['int', 'bool', 'string', 'version', 'ints', 'bools', 'strings', 'versions'];

/** Source: apimachinery api/validate/union.go. */
function addUnionError(attribute: Place): void {
  const given = values.filter(name => hasSet(attribute, name));
  const all = values.map(name => `\`${name}\``).join(', ');
  if (given.length === 0) addInvalid(attribute, `must specify one of: ${all}`, '');
  else addInvalid(attribute, `must specify exactly one of: ${all}`, `{${given.join(', ')}}`);
}

function addCountError(attribute: Place, count: number): void {
  addInvalid(
    attribute,
    'exactly one value must be specified',
    count === 0 ? '' : internalValue(attribute.server, 'resource/v1.DeviceAttribute', attribute.value),
  );
}

/** Validates a capacity of a device and its sharing policy. */
export function checkCapacity(capacity: Place, isShared: boolean): void {
  const policy = at(capacity, 'requestPolicy');
  if (!isSet(policy)) return;
  const [values, range, initial] = [at(policy, 'validValues'), at(policy, 'validRange'), at(policy, 'default')];
  if (!isShared) addForbidden(policy, 'allowMultipleAllocations must be true');
  else if (lengthOf(values) > 0 && isSet(range))
    addForbidden(policy, 'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time');
  else if (lengthOf(values) > 0) {
    if (!isSet(initial)) addRequired(initial, 'required when validValues is defined');
    else checkValues(values, textOf(initial), textAt(capacity, 'value'));
  } else if (isSet(range)) {
    if (!isSet(initial)) addRequired(initial, 'required when validRange is defined');
    else checkRange(range, textOf(initial), textAt(capacity, 'value'));
  }
}

function checkValues(values: Place, initial: string, capacity: string): void {
  const items = indexed(values);
  for (const [index, item] of items.entries()) {
    const before = items[index - 1];
    if (before !== undefined && compareQuantities(textOf(before), textOf(item)) > 0)
      addInvalid(item, 'values must be sorted in ascending order');
  }
  checkSet(values, 10, {
    check: item => {
      if (compareQuantities(textOf(item), capacity) > 0) addInvalid(item, `option is larger than capacity value: ${capacity}`);
    },
    key: item => String(quantityValue(textOf(item))),
  });
  if (!items.some(item => compareQuantities(textOf(item), initial) === 0))
    addInvalid(values, 'default value is not valid according to the requestPolicy', initial);
}

function checkRange(range: Place, initial: string, capacity: string): void {
  const [low, high, step] = [at(range, 'min'), at(range, 'max'), at(range, 'step')];
  if (!isSet(low)) {
    addRequired(low, 'required when validRange is defined');
    return;
  }
  const [least, most] = [textOf(low), textOf(high)];
  if (compareQuantities(least, capacity) > 0) addInvalid(low, `min is larger than capacity value: ${capacity}`);
  if (compareQuantities(initial, least) < 0) addInvalid(low, `default is less than min: ${least}`, initial);
  if (isSet(high)) {
    if (compareQuantities(least, most) > 0) addInvalid(high, `min is larger than max: ${most}`, least);
    if (compareQuantities(most, capacity) > 0) addInvalid(high, `max is larger than capacity value: ${capacity}`);
    if (compareQuantities(initial, most) > 0) addInvalid(high, `default is more than max: ${most}`, initial);
  }
  if (!isSet(step)) return;
  const first = quantityText(addQuantities(parseQuantity(least), parseQuantity(textOf(step))));
  if (compareQuantities(first, capacity) > 0) addInvalid(step, `one step ${first} is larger than capacity value: ${capacity}`);
  for (const value of isSet(high) ? [initial, most] : [initial]) checkStep(step, value, least);
}

/** Validates a step, which must not be zero because it is a divisor. */
function checkStep(step: Place, value: string, least: string): void {
  const width = quantityValue(textOf(step));
  if (width !== 0n && (quantityValue(value) - quantityValue(least)) % width !== 0n)
    addInvalid(step, `value is not a multiple of a given step (${textOf(step)}) from (${least})`, value);
}
