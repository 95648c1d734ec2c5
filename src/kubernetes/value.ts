/**
 * A JSON value as Go holds it after decoding. `bigint` is an int64 and `number` a float64, so that `1` and `1.0` stay
 * apart as they do in the API server; objects are `Map`s because a plain object reorders keys such as "10" and trips
 * over `__proto__`. In a value of a built-in type an absent key is Go's zero value.
 */
export type Value = null | boolean | string | bigint | number | Value[] | ValueMap | RawJson;

/** An object. Keys stand in insertion order; who writes it decides on the order of the output. */
export type ValueMap = Map<string, Value>;

/** JSON text that passes through untouched (Go's RawExtension, FieldsV1), compact and escaped as it is shown. */
export interface RawJson {
  readonly rawJson: string;
  /** The text as it was sent, where that is another one: comparisons see it. */
  readonly sent?: string;
  /** Go's type of a value that is no JSON: expressions of mutations make such values. */
  readonly goType?: string;
  /** How Go prints such a value with %v, where that is another text. */
  readonly goText?: string;
  /** How Go prints such a value with %#v, where that is another text. */
  readonly goSyntax?: string;
}

/** Is this an object? */
export function isMap(value: Value | undefined): value is ValueMap {
  return value instanceof Map;
}

/** Is this a list? */
export function isList(value: Value | undefined): value is Value[] {
  return Array.isArray(value);
}

/** Is this JSON text kept as it is? */
export function isRawJson(value: Value | undefined): value is RawJson {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Map);
}

type Path = readonly (string | number)[];

/** The value at a path of keys and indexes; undefined where the path ends early. */
export function valueAt(value: Value | undefined, ...path: Path): Value | undefined {
  return followed(value, path);
}

/** The object at a path; undefined when there is none or something else. */
export function mapAt(value: Value | undefined, ...path: Path): ValueMap | undefined {
  const found = followed(value, path);
  return isMap(found) ? found : undefined;
}

/** The list at a path; an empty one when there is none or something else. Changes to that empty list are lost. */
export function listAt(value: Value | undefined, ...path: Path): Value[] {
  const found = followed(value, path);
  return isList(found) ? found : [];
}

/** The string at a path; `''`, Go's zero value, when there is none or something else. */
export function stringAt(value: Value | undefined, ...path: Path): string {
  const found = followed(value, path);
  return typeof found === 'string' ? found : '';
}

/** The number at a path; 0 when there is none. */
export function numberAt(value: Value | undefined, ...path: Path): bigint {
  const found = followed(value, path);
  return typeof found === 'bigint' ? found : 0n;
}

/** Called thousands of times by a call that runs once, where an iterator takes longer than what it gives. */
function followed(value: Value | undefined, path: Path): Value | undefined {
  let at = value;
  for (let i = 0; i < path.length && at !== undefined; i += 1) {
    const step = path[i];
    if (typeof step === 'string') at = isMap(at) ? at.get(step) : undefined;
    else at = isList(at) && step !== undefined ? at[step] : undefined;
  }
  return at;
}

/** The object under a key, made when absent (or when something else stands there). */
export function ensureMap(parent: ValueMap, key: string): ValueMap {
  const found = parent.get(key);
  if (isMap(found)) return found;
  const made: ValueMap = new Map();
  parent.set(key, made);
  return made;
}

/** A copy that shares nothing that can change. */
export function copyOf<T extends Value | undefined>(value: T): T {
  return copied(value) as T;
}

function copied(value: Value | undefined): Value | undefined {
  if (isList(value)) return value.map(copyOf);
  if (!isMap(value)) return value;
  const copy: ValueMap = new Map();
  for (const [key, member] of value) copy.set(key, copyOf(member));
  return copy;
}

/** Are two values the same, whatever the order of keys? Types count: 1 is not 1.0. Source: reflect.DeepEqual of untyped values. */
export function sameValue(a: Value, b: Value): boolean {
  if (isMap(a)) return isMap(b) && a.size === b.size && [...a].every(([key, value]) => b.has(key) && sameValue(value, b.get(key) ?? null));
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, i) => sameValue(item, b[i] ?? null));
  if (isRawJson(a)) return isRawJson(b) && (a.sent ?? a.rawJson) === (b.sent ?? b.rawJson);
  return a === b;
}

/** The same value from plain JavaScript data: objects become Maps in their key order, whole numbers int64. For literals in code and tests. */
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
