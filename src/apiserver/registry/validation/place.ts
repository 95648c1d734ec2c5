import { goString } from '../../../go/json/write.js';
import { isList, isMap, type Value, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import {
  type BadValue,
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  valueNotFound,
} from '../../../kubernetes/field-error.js';

/** Value under validation, with its path and the list of errors, which all places of one object share. */
export interface Place {
  /** Undefined: Go's zero value. */
  readonly value: Value | undefined;
  /** `spec.containers[0]`; empty for the object itself. */
  readonly path: string;
  readonly errors: FieldError[];
  readonly server: ApiServer;
}

/** Returns the place of a whole object, with no errors yet. */
export function placeOf(server: ApiServer, object: Value | undefined, path = ''): Place {
  return { value: object, path, errors: [], server };
}

/** Returns the member at a path of keys. */
export function at(place: Place, ...keys: readonly string[]): Place {
  let { value, path } = place;
  // Called hundreds of times per object, where an iterator would dominate the cost.
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] ?? '';
    value = isMap(value) ? value.get(key) : undefined;
    path = path === '' ? key : `${path}.${key}`;
  }
  return { value, path, errors: place.errors, server: place.server };
}

/** Returns the same value under another path, because the API server sometimes reports a sibling's. */
export function shownAt(place: Place, path: string): Place {
  return { ...place, path };
}

/** Returns the items of a list member. */
export function itemsAt(place: Place, ...keys: readonly string[]): Place[] {
  // Most lists are absent and need no path.
  return isList(valueBelow(place, keys)) ? indexed(at(place, ...keys)) : [];
}

/** Returns the items of a list. */
export function indexed(place: Place): Place[] {
  const { value, path, errors, server } = place;
  return isList(value) ? value.map((item, index) => ({ value: item, path: `${path}[${index}]`, errors, server })) : [];
}

/** Returns the entries of a map member, in order; the path of each has its key: `limits[cpu]`. */
export function entriesAt(place: Place, ...keys: readonly string[]): (readonly [string, Place])[] {
  const { value, path, errors, server } = at(place, ...keys);
  return isMap(value) ? [...value].map(([key, entry]) => [key, { value: entry, path: `${path}[${key}]`, errors, server }] as const) : [];
}

/** Returns the entry of a map by its key, present or not. */
export function entryAt(place: Place, key: string): Place {
  return { value: memberOf(place, key), path: `${place.path}[${key}]`, errors: place.errors, server: place.server };
}

/** Reports whether there is a value other than null. */
export function isSet(place: Place): boolean {
  return place.value !== undefined && place.value !== null;
}

/** Reports whether a member is present. */
export function hasSet(place: Place, key: string): boolean {
  const value = memberOf(place, key);
  return value !== undefined && value !== null;
}

/** Returns a string; empty when absent. */
export function textOf({ value }: Place): string {
  return typeof value === 'string' ? value : '';
}

/** Returns the string of a member. */
export function textAt(place: Place, ...keys: readonly string[]): string {
  const value = valueBelow(place, keys);
  return typeof value === 'string' ? value : '';
}

/** Returns a number; 0 when absent. */
export function numberOf({ value }: Place): bigint {
  return typeof value === 'bigint' ? value : 0n;
}

/** Returns the number of a member. */
export function numberAt(place: Place, ...keys: readonly string[]): bigint {
  const value = valueBelow(place, keys);
  return typeof value === 'bigint' ? value : 0n;
}

/** Reports whether a member is true. */
export function flagAt(place: Place, ...keys: readonly string[]): boolean {
  return valueBelow(place, keys) === true;
}

/** Returns the number of items of a list or map. */
export function lengthOf({ value }: Place): number {
  if (isList(value)) return value.length;
  return isMap(value) ? value.size : 0;
}

/** Returns the strings of a list. */
export function textsOf(place: Place): string[] {
  return isList(place.value) ? place.value.map(item => (typeof item === 'string' ? item : '')) : [];
}

/** Adds errors one after another: an object may have more of them than a call can have arguments. */
export function addErrors({ errors }: Place, ...lists: readonly (readonly FieldError[])[]): void {
  for (const list of lists) for (const error of list) errors.push(error);
}

/** Adds `Required value: DETAIL`. */
export function addRequired(place: Place, detail = ''): void {
  place.errors.push(required(place.path, detail));
}

/** Adds `Invalid value: VALUE: DETAIL`; the value is the place's own unless given. */
export function addInvalid(place: Place, detail: string, value: BadValue = badValueOf(place.value)): void {
  place.errors.push(invalidValue(place.path, value, detail));
}

/** Adds `Invalid value: DETAIL`, which shows no value. */
export function addInvalidWithoutValue(place: Place, detail: string): void {
  place.errors.push(invalidValue(place.path, undefined, detail));
}

/** Adds `Invalid value` for an enum value: it has a named type, which errors show as JSON. */
export function addInvalidName(place: Place, detail: string): void {
  addInvalid(place, detail, { rawJson: goString(textOf(place)) });
}

/** Adds one `Invalid value` for each problem that a name rule finds. */
export function addProblems(place: Place, problems: readonly string[], value: BadValue = badValueOf(place.value)): void {
  for (const problem of problems) addInvalid(place, problem, value);
}

/** Adds `Unsupported value: VALUE: supported values: ...`; enum values have a named type, which errors show as JSON. */
export function addUnsupported(place: Place, supported: readonly string[], value: BadValue = badValueOf(place.value)): void {
  place.errors.push(notSupported(place.path, typeof value === 'string' ? { rawJson: goString(value) } : value, supported));
}

/** Adds `Unsupported value` for a plain string, which is quoted. */
export function addUnsupportedText(place: Place, supported: readonly string[], value = textOf(place)): void {
  place.errors.push(notSupported(place.path, value, supported));
}

/** Adds `Duplicate value: VALUE`. */
export function addDuplicate(place: Place, value: BadValue = badValueOf(place.value)): void {
  place.errors.push(duplicate(place.path, value));
}

/** Adds `Not found: VALUE`. */
export function addNotFound(place: Place): void {
  place.errors.push(valueNotFound(place.path, badValueOf(place.value)));
}

/** Adds `Forbidden: DETAIL`. */
export function addForbidden(place: Place, detail: string): void {
  place.errors.push(forbiddenField(place.path, detail));
}

/** Returns the value of a leaf as errors show it; an absent one is shown as an empty string. */
export function badValueOf(value: Value | undefined): BadValue {
  if (value === undefined) return '';
  if (isList(value)) return { rawJson: `[${value.map(shownItem).join(',')}]` };
  return isMap(value) ? null : value;
}

function shownItem(item: Value): string {
  return typeof item === 'string' ? goString(item) : JSON.stringify(typeof item === 'bigint' ? Number(item) : item);
}

function memberOf({ value }: Place, key: string): Value | undefined {
  return isMap(value) ? value.get(key) : undefined;
}

/** Returns the value at a path of keys, where its place is not needed. */
function valueBelow(place: Place, keys: readonly string[]): Value | undefined {
  let { value } = place;
  for (let i = 0; i < keys.length; i += 1) value = isMap(value) ? value.get(keys[i] ?? '') : undefined;
  return value;
}

/** Returns the object of a place, empty when absent. */
export function mapOf({ value }: Place): ValueMap {
  return isMap(value) ? value : new Map();
}
