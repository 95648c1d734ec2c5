import { formatFloat } from '../../../go/float.js';
import { goFloat } from '../../../go/json/write.js';
import { compareKeys } from '../../../go/key-order.js';
import { quote } from '../../../go/quote.js';
import { isList, isMap, isRawJson, type Value } from '../../../go/value.js';
import { memoizeStrings } from '../../../kubernetes/memoize.js';
import { compareValues } from './compare-values.js';

/** Built-in types have about as many. */
const maxNames = 8192;

/** Step of a path: a member, an item by its keys, an item of a set by its value, or an item by its index. */
export type PathElement =
  | FieldElement
  /** Sorted by name. */
  | { readonly kind: 'key'; readonly fields: readonly KeyField[] }
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'index'; readonly index: number };

interface FieldElement {
  readonly kind: 'field';
  readonly name: string;
  /** `f:spec` */
  readonly text: string;
}

export interface KeyField {
  readonly name: string;
  readonly value: Value;
}

/** Returns a step to a member of an object: objects of one run have the names of their members in common. */
export const fieldElement = memoizeStrings(maxNames, (name: string): FieldElement => ({ kind: 'field', name, text: `f:${name}` }));

/** Returns a step to an item of a keyed list; the fields in any order. */
export function keyElement(fields: readonly KeyField[]): PathElement {
  return { kind: 'key', fields: fields.length > 1 ? [...fields].sort((a, b) => compareKeys(a.name, b.name)) : fields };
}

/**
 * Returns the element as a key of `fieldsV1`: `f:spec`, `k:{"name":"a"}`, `v:"x"`, `i:0`. Source: structured-merge-diff serialize-pe.go.
 */
export function elementText(element: PathElement): string {
  switch (element.kind) {
    case 'field':
      return element.text;
    case 'key':
      return `k:{${element.fields.map(({ name, value }) => `${fieldNameText(name)}:${valueText(value)}`).join(',')}}`;
    case 'value':
      return `v:${valueText(element.value)}`;
    case 'index':
      return `i:${element.index}`;
  }
}

/** Returns the element as `elementText` does, with the escapes of structured-merge-diff v7: only those that JSON needs, the short ones where there are any. */
export function plainElementText(element: PathElement): string {
  const text = elementText(element);
  if (element.kind === 'field' || (!text.includes('\\u00') && !text.includes('\\u202'))) return text;
  return text.replace(/\\(?:u([0-9a-f]{4})|.)/g, (whole, code: string | undefined) =>
    code === undefined ? whole : (plainEscapes.get(code) ?? whole),
  );
}

const plainEscapes = new Map([
  ['0008', '\\b'],
  ['000c', '\\f'],
  ['0026', '&'],
  ['003c', '<'],
  ['003e', '>'],
  ['2028', '\u2028'],
  ['2029', '\u2029'],
]);

/** Returns a name as the `fieldsV1` encoder writes it: unlike values it keeps `<`, `>` and `&`. Source: json-iterator stream_str.go. */
export const fieldNameText = memoizeStrings(maxNames, (name: string) => `"${name.replace(/[\x00-\x1f"\\]/g, escaped)}"`);

/** Returns the element as conflicts and validation errors print it: `.spec`, `[name="a"]`, `[="x"]`, `[0]`. */
export function printElement(element: PathElement): string {
  switch (element.kind) {
    case 'field':
      return `.${element.name}`;
    case 'key':
      return `[${element.fields.map(({ name, value }) => `${name}=${printValue(value)}`).join(',')}]`;
    case 'value':
      return `[=${printValue(element.value)}]`;
    case 'index':
      return `[${element.index}]`;
  }
}

/** Compares elements: members, then keys, values, indexes; each kind by its content. Source: fieldpath element.go Compare. */
export function compareElements(a: PathElement, b: PathElement): number {
  if (a.kind === 'field' && b.kind === 'field') return compareKeys(a.name, b.name);
  if (a.kind === 'key' && b.kind === 'key') return compareFieldLists(a.fields, b.fields);
  if (a.kind === 'value' && b.kind === 'value') return compareValues(a.value, b.value);
  if (a.kind === 'index' && b.kind === 'index') return a.index - b.index;
  return kinds.indexOf(a.kind) - kinds.indexOf(b.kind);
}

const kinds: readonly PathElement['kind'][] = ['field', 'key', 'value', 'index'];

function compareFieldLists(a: readonly KeyField[], b: readonly KeyField[]): number {
  for (const [i, left] of a.entries()) {
    const right = b[i];
    if (right === undefined) return 1;
    const order = compareKeys(left.name, right.name) || compareValues(left.value, right.value);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Returns JSON as json-iterator writes it: HTML escaped, no short escapes for backspace and form feed. */
function valueText(value: Value): string {
  if (typeof value === 'string') return `"${value.replace(/[\x00-\x1f"\\<>&\u2028\u2029]/g, escaped)}"`;
  if (typeof value === 'number') return goFloat(value);
  if (isList(value)) return `[${value.map(valueText).join(',')}]`;
  if (!isMap(value)) return value === null || typeof value === 'object' ? 'null' : String(value);
  const entries = [...value].sort(([a], [b]) => compareKeys(a, b));
  return `{${entries.map(([key, inside]) => `${valueText(key)}:${valueText(inside)}`).join(',')}}`;
}

function escaped(character: string): string {
  const short = shortEscapes.get(character);
  return short ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const shortEscapes = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Source: structured-merge-diff value.ToString. */
function printValue(value: Value): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return formatFloat(value);
  if (isList(value)) return `[${value.map(printValue).join(',')}]`;
  if (isMap(value)) return [...value].map(([key, inside]) => `${key}=${printValue(inside)}`).join('');
  if (isRawJson(value)) return value.goType === undefined ? 'null' : '{{undefined}}';
  return value === null ? 'null' : String(value);
}
