import { compareKeys, goFloat, goString } from '../go/json/write.js';
import { ownMember, setOwnMember } from '../go/own-members.js';
import { isList, isMap, isRawJson, type Value } from '../go/value.js';
import { readUnstructured } from './unstructured.js';

/**
 * Parses JSON text into plain JavaScript data, for programs that are not ours. Integers are exact: those that a double cannot represent are
 * `bigint`. Throws JsonSyntaxError or JsonTypeError with Go's message.
 */
export function parsePlain(text: string): unknown {
  if (!mayDiffer.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // The exact reader returns Go's error.
    }
  }
  return plainOfValue(readUnstructured(text));
}

/** Numbers that a double may not represent, and strings that Go reads differently. */
const mayDiffer = /\d{16}|\\u[dD][89a-fA-F]|[\ud800-\udfff]|\d[eE]/;

/** Returns a value as plain JavaScript data, like `parsePlain`. */
export function plainOfValue(value: Value): unknown {
  if (isMap(value)) {
    const object: Record<string, unknown> = {};
    for (const [key, member] of value) setOwnMember(object, key, plainOfValue(member));
    return object;
  }
  if (isList(value)) return value.map(plainOfValue);
  if (isRawJson(value)) return plainOfValue(readUnstructured(value.rawJson));
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** Data that cannot be encoded as JSON. */
class NotJsonError extends Error {
  override readonly name = 'NotJsonError';
}

interface Frame {
  readonly keys: readonly string[] | undefined;
  readonly container: Readonly<Record<string, unknown>> | readonly unknown[];
  at: number;
  isEmpty: boolean;
}

/**
 * Plain JavaScript data as compact JSON in Go's form: keys sorted as Go sorts a map's, or kept in their order. Members that are undefined
 * are left out, in lists they are null; `toJSON` is called. Needs no stack for deep data. Throws NotJsonError for functions, symbols, NaN
 * and infinities.
 */
export function writePlain(data: unknown, keys: 'sorted' | 'kept' = 'sorted'): string {
  let out = '';
  const open: Frame[] = [];
  let next: { readonly value: unknown } | undefined = { value: data };
  for (;;) {
    if (next !== undefined) {
      const value = jsonValueOf(next.value);
      if (typeof value === 'object' && value !== null) {
        const frame = frameOf(value, keys);
        out += frame.keys === undefined ? '[' : '{';
        open.push(frame);
      } else out += scalarText(value);
    }
    const frame = open.at(-1);
    if (frame === undefined) return out;
    next = undefined;
    const part = nextPart(frame);
    if (part === undefined) {
      out += frame.keys === undefined ? ']' : '}';
      open.pop();
      continue;
    }
    out += (frame.isEmpty ? '' : ',') + part.key;
    frame.isEmpty = false;
    next = part;
  }
}

function frameOf(value: object, keys: 'sorted' | 'kept'): Frame {
  if (Array.isArray(value)) return { keys: undefined, container: value, at: 0, isEmpty: true };
  const names = Object.keys(value);
  if (keys === 'sorted') names.sort(compareKeys);
  return { keys: names, container: value as Readonly<Record<string, unknown>>, at: 0, isEmpty: true };
}

function nextPart(frame: Frame): { readonly key: string; readonly value: unknown } | undefined {
  const { keys, container } = frame;
  if (keys === undefined) {
    const list = container as readonly unknown[];
    if (frame.at >= list.length) return undefined;
    frame.at += 1;
    return { key: '', value: list[frame.at - 1] ?? null };
  }
  while (frame.at < keys.length) {
    const key = keys[frame.at] ?? '';
    frame.at += 1;
    const value = ownMember(container as Readonly<Record<string, unknown>>, key);
    if (value !== undefined) return { key: `${goString(key)}:`, value };
  }
  return undefined;
}

function jsonValueOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('toJSON' in value && typeof value.toJSON === 'function') return value.toJSON();
  return value instanceof Map ? Object.fromEntries(value) : value;
}

function scalarText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return goString(value);
    case 'number':
      if (!Number.isFinite(value)) throw new NotJsonError(`json: unsupported value: ${value}`);
      return goFloat(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      if (value === null || value === undefined) return 'null';
      throw new NotJsonError(`json: unsupported type: ${typeof value}`);
  }
}
