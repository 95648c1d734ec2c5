/**
 * A JSON value as Go holds it after decoding. `bigint` is an int64 and `number` a float64, so that `1` and `1.0` stay
 * apart as they do in the API server; objects are `Map`s because a plain object reorders keys such as "10" and trips
 * over `__proto__`. In a value of a built-in type an absent key is Go's zero value.
 */
export type Value = null | boolean | string | bigint | number | Value[] | ValueMap | RawJson;

/** An object. Keys are in insertion order; the writer decides the order of the output. */
export type ValueMap = Map<string, Value>;

/** JSON text that is passed through (Go's RawExtension, FieldsV1), compact and escaped as it is shown. */
export interface RawJson {
  readonly rawJson: string;
  /** The text as sent, if it differs: comparisons use it. */
  readonly sent?: string;
  /** Go type of a value that is not JSON, as created by expressions of mutations. */
  readonly goType?: string;
  /** Output of %v for such a value, if it differs. */
  readonly goText?: string;
  /** Output of %#v for such a value, if it differs. */
  readonly goSyntax?: string;
}

/** Returns whether a value is an object. */
export function isMap(value: Value | undefined): value is ValueMap {
  return value instanceof Map;
}

/** Returns whether a value is a list. */
export function isList(value: Value | undefined): value is Value[] {
  return Array.isArray(value);
}

/** Returns whether a value is raw JSON text. */
export function isRawJson(value: Value | undefined): value is RawJson {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Map);
}

type Path = readonly (string | number)[];

/** Returns the value at a path of keys and indexes; undefined if the path does not exist. */
export function valueAt(value: Value | undefined, ...path: Path): Value | undefined {
  return followed(value, path);
}

/** Returns the object at a path; undefined for anything else. */
export function mapAt(value: Value | undefined, ...path: Path): ValueMap | undefined {
  const found = followed(value, path);
  return isMap(found) ? found : undefined;
}

/** Returns the list at a path; an empty one for anything else. Changes to that empty list are lost. */
export function listAt(value: Value | undefined, ...path: Path): Value[] {
  const found = followed(value, path);
  return isList(found) ? found : [];
}

/** Returns the strings of the list at a path; other items are left out. */
export function stringsAt(value: Value | undefined, ...keys: readonly string[]): string[] {
  return listAt(value, ...keys).filter(item => typeof item === 'string');
}

/** Returns the string at a path; `''`, Go's zero value, for anything else. */
export function stringAt(value: Value | undefined, ...path: Path): string {
  const found = followed(value, path);
  return typeof found === 'string' ? found : '';
}

/** Returns the integer at a path; 0 for anything else. */
export function numberAt(value: Value | undefined, ...path: Path): bigint {
  const found = followed(value, path);
  return typeof found === 'bigint' ? found : 0n;
}

/** A loop with an index: a call runs this thousands of times, and an iterator would take longer than the lookup. */
function followed(value: Value | undefined, path: Path): Value | undefined {
  let at = value;
  for (let i = 0; i < path.length && at !== undefined; i += 1) {
    const step = path[i];
    if (typeof step === 'string') at = isMap(at) ? at.get(step) : undefined;
    else at = isList(at) && step !== undefined ? at[step] : undefined;
  }
  return at;
}

/** Returns the object under a key; replaces anything else with a new one. */
export function ensureMap(parent: ValueMap, key: string): ValueMap {
  const found = parent.get(key);
  if (isMap(found)) return found;
  const made: ValueMap = new Map();
  parent.set(key, made);
  return made;
}

/** Returns a deep copy. */
export function copyOf<T extends Value | undefined>(value: T): T {
  return copied(value) as T;
}

function copied(value: Value | undefined): Value | undefined {
  if (isList(value)) return value.map(copyOf);
  if (!isMap(value)) return value;
  const copy: ValueMap = new Map();
  // Most members are scalars, which need no call.
  for (const [key, member] of value) copy.set(key, typeof member === 'object' ? copyOf(member) : member);
  return copy;
}

/** Returns a deep copy in which maps that were one map are one map again, as after a conversion in Go, which copies the reference. */
export function copyWithSharedMaps(value: ValueMap): ValueMap {
  const copies = new Map<ValueMap, ValueMap>();
  const copyOfMap = (map: ValueMap): ValueMap => {
    const known = copies.get(map);
    if (known !== undefined) return known;
    const copy: ValueMap = new Map();
    copies.set(map, copy);
    for (const [key, member] of map) copy.set(key, copyOfMember(member));
    return copy;
  };
  const copyOfMember = (member: Value): Value => {
    if (isList(member)) return member.map(copyOfMember);
    return isMap(member) ? copyOfMap(member) : member;
  };
  return copyOfMap(value);
}

/** Returns whether two values are equal, in any order of keys. Types count: 1 is not 1.0. Source: reflect.DeepEqual of untyped values. */
export function sameValue(a: Value, b: Value): boolean {
  if (isMap(a)) return isMap(b) && a.size === b.size && hasMembers(b, a);
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, i) => sameValue(item, b[i] ?? null));
  if (isRawJson(a)) return isRawJson(b) && (a.sent ?? a.rawJson) === (b.sent ?? b.rawJson);
  return a === b;
}

function hasMembers(map: ValueMap, members: ValueMap): boolean {
  for (const [key, value] of members) {
    const found = map.get(key);
    if (found === undefined || !sameValue(value, found)) return false;
  }
  return true;
}

/** Converts plain JavaScript data: objects become Maps in their key order, integers int64. For literals in code and tests. */
export function toValue(data: unknown): Value {
  if (data === null || data === undefined) return null;
  if (typeof data === 'string' || typeof data === 'boolean' || typeof data === 'bigint') return data;
  if (typeof data === 'number') return Number.isSafeInteger(data) ? BigInt(data) : data;
  if (Array.isArray(data)) return data.map(toValue);
  if (data instanceof Map) return new Map([...data].map(([k, v]) => [String(k), toValue(v)]));
  if (typeof data === 'object')
    return new Map(
      Object.entries(data)
        .filter(([, v]) => v !== undefined)
        .map(([k, v]) => [k, toValue(v)]),
    );
  throw new TypeError(`no JSON value: ${typeof data}`);
}
