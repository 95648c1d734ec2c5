import { adapt, itemAt } from '../values/found.js';
import { findInMap } from '../values/maps.js';
import { intOfDouble, maxInt } from '../values/numbers.js';
import { goTypeOfCel, printed } from '../values/printed.js';
import { typeText } from '../values/type.js';
import { celTypeOf } from '../values/type-of.js';
import { type CelError, type CelList, type CelValue, celError, type FoundValue, isError } from '../values/value.js';
import type { Presence } from './frame.js';

const absent: Presence = { present: false };

/** Looks up a key; returns an error when it is missing. Source: cel-go interpreter/attributes.go. */
export function lookUp(target: FoundValue, key: CelValue): FoundValue {
  if (target instanceof Map && typeof key === 'string') {
    const member: FoundValue | undefined = target.get(key);
    return member === undefined ? missing(target, key) : member;
  }
  const found = lookUpIfPresent(target, key);
  if (!('present' in found)) return found;
  return found.present ? found.found : missing(target, key);
}

/** Looks up a key that may be missing. Invalid list indexes are still errors. */
export function lookUpIfPresent(target: FoundValue, key: CelValue): Presence | CelError {
  if (target instanceof Map) {
    const found: FoundValue | undefined = typeof key === 'string' ? target.get(key) : undefined;
    return found === undefined ? absent : { present: true, found };
  }
  if (Array.isArray(target) && typeof key === 'bigint') {
    const found = key >= 0n && key < target.length ? target[Number(key)] : undefined;
    return found === undefined ? absent : { present: true, found };
  }
  return lookUpValue(adapt(target), key);
}

/** The key for a computed value; undefined for values that are not valid keys. */
export function qualifierKeyOf(found: FoundValue): CelValue | undefined {
  if (typeof found !== 'object') return found;
  return found !== null && 'kind' in found && found.kind === 'uint' ? found : undefined;
}

/** Error message for an invalid key. */
export function invalidQualifier(found: FoundValue): string {
  return `invalid qualifier type: ${goTypeOfCel(found)}`;
}

function lookUpValue(value: CelValue, key: CelValue): Presence | CelError {
  if (typeof value !== 'object') return absent;
  if (value.kind === 'error') return value;
  if (value.kind === 'map') {
    if (value.typed !== undefined && typeof key !== 'string') return celError(`unsupported map key type: ${goTypeOfCel(key)}`);
    const found = findInMap(value, key);
    if (found === undefined) return absent;
    // A member that does not match its schema is an error even for `has`.
    const member = adapt(found);
    return isError(member) ? member : { present: true, found };
  }
  if (value.kind !== 'list') return absent;
  const index = indexOf(key);
  if (typeof index !== 'bigint') return index;
  if (!isWithin(value, index)) return absent;
  if (value.typed && typeof key !== 'bigint') return celError(`unsupported index type: ${goTypeOfCel(key)}`);
  return { present: true, found: itemAt(value, Number(index)) };
}

function missing(target: FoundValue, key: CelValue): CelError {
  const value = adapt(target);
  const isList = typeof value === 'object' && value.kind === 'list';
  return celError(`${isList ? 'index out of bounds' : 'no such key'}: ${printed(key)}`);
}

function isWithin(list: CelList, index: bigint): boolean {
  return index >= 0n && index < list.items.length;
}

/** Converts a key to an index: whole numbers of any type are valid. Source: cel-go types.IndexOrError. */
function indexOf(key: CelValue): bigint | CelError {
  if (typeof key === 'bigint') return key;
  const unsupported = celError(`unsupported index value ${printed(key)} in list`);
  if (typeof key === 'number') {
    const whole = intOfDouble(key);
    return whole !== undefined && Number(whole) === key ? whole : unsupported;
  }
  if (typeof key === 'object' && key.kind === 'uint') return key.uint <= maxInt ? key.uint : unsupported;
  return celError(`unsupported index type '${typeText(celTypeOf(key))}' in list`);
}
