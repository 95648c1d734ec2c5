import type { FieldPath } from '../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../apiserver/registry/validation/go-value.js';
import { semanticVersion } from '../../apiserver/registry/validation/semantic-version.js';
import { addQuantities, compareQuantities, parseQuantity, quantityText, quantityValue } from '../../kubernetes/quantity.js';
import { checkSet } from './device-names.js';

/** Validates one value of a device's attribute. Source: resource/validation validateDeviceAttribute. */
export function checkAttribute(attribute: FieldPath): void {
  const [text, version] = [attribute.child('string'), attribute.child('version')];
  if (version.isSet()) checkVersion(version);
  for (const field of [text, version]) if (Buffer.byteLength(field.text()) > 64) field.tooLong(64);
  const names = attribute.server.since('v1.37') ? values : values.slice(0, 4);
  const count = names.filter(name => attribute.has(name)).length;
  if (count === 1) return;
  if (count === 0 && !attribute.server.since('v1.35')) {
    attribute.required('exactly one value must be specified');
    return;
  }
  addCountError(attribute, count);
}

/** Since v1.38 numbers are limited, because CEL reads them as integers. */
function checkVersion(version: FieldPath): void {
  const parsed = semanticVersion(version.text());
  const isLimited = version.server.since('v1.38');
  const numbers = [...(parsed?.numbers.map(String) ?? []), ...(parsed?.preRelease.filter(part => /^\d+$/.test(part)) ?? [])];
  if (parsed !== undefined && !(isLimited && numbers.some(number => number.length > 18))) return;
  const limit = isLimited ? ', with at most 18 digits in numbers' : '';
  version.invalid(`must be a string compatible with semver.org spec 2.0.0${limit}`);
}

const values = ['int', 'bool', 'string', 'version', 'ints', 'bools', 'strings', 'versions'];

function addCountError(attribute: FieldPath, count: number): void {
  attribute.invalid(
    count === 0 ? '' : internalValue(attribute.server, 'resource/v1.DeviceAttribute', attribute.value),
    'exactly one value must be specified',
  );
}

/** Validates a capacity of a device and its sharing policy. */
export function checkCapacity(capacity: FieldPath, isShared: boolean): void {
  const policy = capacity.child('requestPolicy');
  if (!policy.isSet()) return;
  const [values, range, initial] = [policy.child('validValues'), policy.child('validRange'), policy.child('default')];
  if (!isShared) policy.forbidden('allowMultipleAllocations must be true');
  else if (values.length() > 0 && range.isSet())
    policy.forbidden('exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time');
  else if (values.length() > 0) {
    if (!initial.isSet()) initial.required('required when validValues is defined');
    else checkValues(values, initial.text(), capacity.text('value'));
  } else if (range.isSet()) {
    if (!initial.isSet()) initial.required('required when validRange is defined');
    else checkRange(range, initial.text(), capacity.text('value'));
  }
}

function checkValues(values: FieldPath, initial: string, capacity: string): void {
  const items = values.items();
  for (const [index, item] of items.entries()) {
    const before = items[index - 1];
    if (before !== undefined && compareQuantities(before.text(), item.text()) > 0) item.invalid('values must be sorted in ascending order');
  }
  checkSet(values, 10, {
    check: item => {
      if (compareQuantities(item.text(), capacity) > 0) item.invalid(`option is larger than capacity value: ${capacity}`);
    },
    key: item => String(quantityValue(item.text())),
  });
  if (!items.some(item => compareQuantities(item.text(), initial) === 0))
    values.invalid(initial, 'default value is not valid according to the requestPolicy');
}

function checkRange(range: FieldPath, initial: string, capacity: string): void {
  const [low, high, step] = [range.child('min'), range.child('max'), range.child('step')];
  if (!low.isSet()) {
    low.required('required when validRange is defined');
    return;
  }
  const [least, most] = [low.text(), high.text()];
  if (compareQuantities(least, capacity) > 0) low.invalid(`min is larger than capacity value: ${capacity}`);
  if (compareQuantities(initial, least) < 0) low.invalid(initial, `default is less than min: ${least}`);
  if (high.isSet()) {
    if (compareQuantities(least, most) > 0) high.invalid(least, `min is larger than max: ${most}`);
    if (compareQuantities(most, capacity) > 0) high.invalid(`max is larger than capacity value: ${capacity}`);
    if (compareQuantities(initial, most) > 0) high.invalid(initial, `default is more than max: ${most}`);
  }
  if (!step.isSet()) return;
  const first = quantityText(addQuantities(parseQuantity(least), parseQuantity(step.text())));
  if (compareQuantities(first, capacity) > 0) step.invalid(`one step ${first} is larger than capacity value: ${capacity}`);
  for (const value of high.isSet() ? [initial, most] : [initial]) checkStep(step, value, least);
}

/** Validates a step, which must not be zero because it is a divisor. */
function checkStep(step: FieldPath, value: string, least: string): void {
  const width = quantityValue(step.text());
  if (width !== 0n && (quantityValue(value) - quantityValue(least)) % width !== 0n)
    step.invalid(value, `value is not a multiple of a given step (${step.text()}) from (${least})`);
}
