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
  tooLong,
  tooMany,
  valueNotFound,
} from '../../../kubernetes/field-error.js';

/** How a path goes on from its parent: `.name`, `[0]` or `[key]`; a root has no parent. */
type Step = 'root' | 'child' | 'index' | 'key';

/**
 * A field under validation: its path as upstream's `field.Path`, its value, and the list of errors, which all fields of one object share.
 * Methods that are named for an error add it. Source: apimachinery util/validation/field.
 */
export class FieldPath {
  private shown: string | undefined;

  private constructor(
    /** Undefined: Go's zero value. */
    readonly value: Value | undefined,
    private readonly parent: FieldPath | undefined,
    private readonly step: Step,
    private readonly name: string | number,
    readonly errors: FieldError[],
    readonly server: ApiServer,
  ) {}

  /** Returns the path of a whole object, or of a part with the given path, with no errors yet. */
  static root(server: ApiServer, object: Value | undefined, path = ''): FieldPath {
    return new FieldPath(object, undefined, 'root', path, [], server);
  }

  /** `spec.containers[0]`; empty for the object itself. It is made when it is read: most fields have no error. */
  get path(): string {
    if (this.shown === undefined) this.shown = pathOf(this.parent?.path ?? '', this.step, this.name);
    return this.shown;
  }

  /** Returns the member at a path of names. */
  child(...names: readonly string[]): FieldPath {
    let at: FieldPath = this;
    // Called hundreds of times per object, where an iterator would dominate the cost.
    for (let i = 0; i < names.length; i += 1) {
      const name = names[i] ?? '';
      at = at.below(isMap(at.value) ? at.value.get(name) : undefined, 'child', name);
    }
    return at;
  }

  /** Returns the item of a list, present or not. */
  index(index: number): FieldPath {
    return this.below(isList(this.value) ? this.value[index] : undefined, 'index', index);
  }

  /** Returns the entry of a map by its key, present or not. */
  key(key: string): FieldPath {
    return this.below(isMap(this.value) ? this.value.get(key) : undefined, 'key', key);
  }

  /** Returns the items of a list, the own one or a member's. */
  items(...names: readonly string[]): FieldPath[] {
    const paths: FieldPath[] = [];
    // Most lists are absent and need no path.
    const items = this.valueBelow(names);
    if (!isList(items) || items.length === 0) return paths;
    const list = this.child(...names);
    for (let index = 0; index < items.length; index += 1) paths.push(list.below(items[index], 'index', index));
    return paths;
  }

  /** Returns the entries of a map, the own one or a member's, in order; the path of each has its key: `limits[cpu]`. */
  entries(...names: readonly string[]): (readonly [string, FieldPath])[] {
    const map = this.valueBelow(names);
    if (!isMap(map)) return [];
    const parent = this.child(...names);
    return [...map].map(([key, entry]) => [key, parent.below(entry, 'key', key)] as const);
  }

  /** Returns the same value under another path, because the API server sometimes reports a sibling's. */
  shownAt(path: string): FieldPath {
    return new FieldPath(this.value, undefined, 'root', path, this.errors, this.server);
  }

  /** Returns another value under the same path. */
  withValue(value: Value | undefined): FieldPath {
    return new FieldPath(value, this.parent, this.step, this.name, this.errors, this.server);
  }

  /** Returns the same value and path with a list of errors of its own. */
  withOwnErrors(): FieldPath {
    return new FieldPath(this.value, this.parent, this.step, this.name, [], this.server);
  }

  /** Reports whether there is a value other than null. */
  isSet(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  /** Reports whether a member is present and not null. */
  has(name: string): boolean {
    const value = isMap(this.value) ? this.value.get(name) : undefined;
    return value !== undefined && value !== null;
  }

  /** Returns a string, the own one or a member's; empty when absent. */
  text(...names: readonly string[]): string {
    const value = this.valueBelow(names);
    return typeof value === 'string' ? value : '';
  }

  /** Returns a number, the own one or a member's; 0 when absent. */
  number(...names: readonly string[]): bigint {
    const value = this.valueBelow(names);
    return typeof value === 'bigint' ? value : 0n;
  }

  /** Reports whether the value, or a member, is true. */
  flag(...names: readonly string[]): boolean {
    return this.valueBelow(names) === true;
  }

  /** Returns the number of items of a list or map. */
  length(): number {
    if (isList(this.value)) return this.value.length;
    return isMap(this.value) ? this.value.size : 0;
  }

  /** Returns the strings of a list. */
  texts(): string[] {
    return isList(this.value) ? this.value.map(item => (typeof item === 'string' ? item : '')) : [];
  }

  /** Returns the members of an object, none when it is absent. */
  members(): ValueMap {
    return isMap(this.value) ? this.value : new Map();
  }

  /** Adds errors one after another: an object may have more of them than a call can have arguments. */
  add(...lists: readonly (readonly FieldError[])[]): void {
    for (const list of lists) for (const error of list) this.errors.push(error);
  }

  /** Adds `Required value: DETAIL`. */
  required(detail = ''): void {
    this.errors.push(required(this.path, detail));
  }

  /** Adds `Invalid value: VALUE: DETAIL`; the value is the field's own unless given. */
  invalid(...error: readonly [detail: string] | readonly [value: BadValue, detail: string]): void {
    const [value, detail] = error.length === 1 ? [badValueOf(this.value), error[0]] : error;
    this.errors.push(invalidValue(this.path, value, detail));
  }

  /** Adds `Invalid value: VALUE: DETAIL` for a list as a whole, of which an absent one is null. */
  invalidList(detail: string): void {
    this.invalid(this.value === undefined ? null : badValueOf(this.value), detail);
  }

  /** Adds `Invalid value: DETAIL`, which shows no value. */
  invalidWithoutValue(detail: string): void {
    this.errors.push(invalidValue(this.path, undefined, detail));
  }

  /** Adds `Invalid value` for an enum value: it has a named type, which errors show as JSON. */
  invalidName(detail: string): void {
    this.invalid({ rawJson: goString(this.text()) }, detail);
  }

  /** Adds one `Invalid value` for each problem that a name rule finds. */
  invalidEach(...errors: readonly [problems: readonly string[]] | readonly [value: BadValue, problems: readonly string[]]): void {
    const [value, problems] = errors.length === 1 ? [badValueOf(this.value), errors[0]] : errors;
    for (const problem of problems) this.invalid(value, problem);
  }

  /** Adds `Unsupported value: VALUE: supported values: ...`; enum values have a named type, which errors show as JSON. */
  notSupported(...error: readonly [supported: readonly string[]] | readonly [value: BadValue, supported: readonly string[]]): void {
    const [value, supported] = error.length === 1 ? [badValueOf(this.value), error[0]] : error;
    this.errors.push(notSupported(this.path, typeof value === 'string' ? { rawJson: goString(value) } : value, supported));
  }

  /** Adds `Unsupported value` for a plain string, which is quoted. */
  notSupportedText(...error: readonly [supported: readonly string[]] | readonly [value: string, supported: readonly string[]]): void {
    const [value, supported] = error.length === 1 ? [this.text(), error[0]] : error;
    this.errors.push(notSupported(this.path, value, supported));
  }

  /** Adds `Duplicate value: VALUE`; the value is the field's own unless given. */
  duplicate(value: BadValue = badValueOf(this.value)): void {
    this.errors.push(duplicate(this.path, value));
  }

  /** Adds `Not found: VALUE`. */
  notFound(): void {
    this.errors.push(valueNotFound(this.path, badValueOf(this.value)));
  }

  /** Adds `Forbidden: DETAIL`. */
  forbidden(detail: string): void {
    this.errors.push(forbiddenField(this.path, detail));
  }

  /** Adds `Too long: may not be more than 63 bytes`. */
  tooLong(maximumBytes: number): void {
    this.errors.push(tooLong(this.path, maximumBytes));
  }

  /** Adds `Too many: 5: must have at most 3 items`. */
  tooMany(actual: number, maximum: number): void {
    this.errors.push(tooMany(this.path, actual, maximum));
  }

  private below(value: Value | undefined, step: Step, name: string | number): FieldPath {
    return new FieldPath(value, this, step, name, this.errors, this.server);
  }

  /** Returns the value at a path of names, where its path is not needed. */
  private valueBelow(names: readonly string[]): Value | undefined {
    let { value } = this;
    for (let i = 0; i < names.length; i += 1) value = isMap(value) ? value.get(names[i] ?? '') : undefined;
    return value;
  }
}

function pathOf(parent: string, step: Step, name: string | number): string {
  if (step === 'index' || step === 'key') return `${parent}[${name}]`;
  return parent === '' ? String(name) : `${parent}.${name}`;
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
