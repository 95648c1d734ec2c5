import { compareKeys } from '../key-order.js';
import { isList, isMap, isRawJson, type Value } from '../value.js';

export { compareKeys } from '../key-order.js';

/** Writes a text as a JSON string with Go's escapes; `<`, `>` and `&` are escaped, too. Source: encoding/json appendString. */
export function goString(text: string): string {
  return plainText.test(text) ? `"${text}"` : `"${text.replace(needsEscape, escapeOf)}"`;
}

/** Writes a float64 like Go's JSON encoder. Throws a RangeError with Go's message for an infinity or NaN. */
export function goFloat(n: number): string {
  if (!Number.isFinite(n)) throw new RangeError(`json: unsupported value: ${Number.isNaN(n) ? 'NaN' : n > 0 ? '+Inf' : '-Inf'}`);
  return Object.is(n, -0) ? '-0' : String(n);
}

/** Writes a value as compact JSON: keys in UTF-8 byte order (as Go's maps) or in insertion order, RawJson as it is. Does not recurse. */
export function writeValue(value: Value, keys: 'sorted' | 'kept'): string {
  let out = '';
  const open: Frame[] = [];
  let next: Value | undefined = value;
  for (;;) {
    if (next !== undefined) {
      if (isMap(next)) {
        out += '{';
        open.push({ list: undefined, entries: entriesOf(next, keys), at: 0 });
      } else if (isList(next)) {
        out += '[';
        open.push({ list: next, entries: [], at: 0 });
      } else {
        out += writeScalar(next);
      }
    }
    const frame = open.at(-1);
    if (frame === undefined) return out;
    next = undefined;
    const { list } = frame;
    if (list !== undefined) {
      if (frame.at < list.length) {
        next = list[frame.at] ?? null;
        if (frame.at > 0) out += ',';
      }
    } else {
      const entry = frame.entries[frame.at];
      if (entry !== undefined) {
        next = entry[1];
        out += `${frame.at > 0 ? ',' : ''}${goString(entry[0])}:`;
      }
    }
    frame.at += 1;
    if (next !== undefined) continue;
    out += list === undefined ? '}' : ']';
    open.pop();
  }
}

/**
 * Removes white space between tokens and escapes HTML characters, as Go writes a RawExtension. The text must be valid JSON. Source:
 * encoding/json Compact.
 */
export function compactRaw(text: string): string {
  if (!mayChange.test(text)) return text;
  let out = '';
  let from = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) inString = !inString;
    else if (code === 0x5c) at += 1;
    else if (code <= 0x20 ? !inString : code === 0x3c || code === 0x3e || code === 0x26 || code === 0x2028 || code === 0x2029) {
      out += text.slice(from, at) + (code <= 0x20 ? '' : unicodeEscape(code));
      from = at + 1;
    }
  }
  return out + text.slice(from);
}

interface Frame {
  readonly list: readonly Value[] | undefined;
  readonly entries: readonly (readonly [string, Value])[];
  at: number;
}

function entriesOf(map: ReadonlyMap<string, Value>, keys: 'sorted' | 'kept'): [string, Value][] {
  const entries = [...map];
  return keys === 'sorted' ? entries.sort(([a], [b]) => compareKeys(a, b)) : entries;
}

function writeScalar(value: Value): string {
  switch (typeof value) {
    case 'string':
      return goString(value);
    case 'number':
      return goFloat(value);
    case 'object':
      return isRawJson(value) ? value.rawJson : 'null';
    default:
      return String(value);
  }
}

const plainText = /^[^\x00-\x1f"\\<>&\u2028\u2029\ud800-\udfff]*$/;
const needsEscape = /[\x00-\x1f"\\<>&\u2028\u2029]|[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g;
const mayChange = /[\s<>&]/;
const shortEscapes = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

function escapeOf(special: string): string {
  if (special.length === 2) return special;
  const short = shortEscapes.get(special);
  if (short !== undefined) return short;
  const code = special.charCodeAt(0);
  return code >= 0xd800 && code < 0xe000 ? '\\ufffd' : unicodeEscape(code);
}

function unicodeEscape(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
