import { ownMember } from '../go/own-members.js';
import { type GoFunction, goFunction, type TemplateFunctions } from './functions.js';
import { printValue, sprint, sprintf, sprintln } from './print.js';
import { byteLength, goList, inner, isGoList, isGoMap, type TemplateValue, templateTypeOf, truth, withoutType, zeroOf } from './values.js';

/**
 * Built-in functions of Go templates. The executor calls `and` and `or`, which short-circuit, and `call`, whose errors name the callee's
 * text.
 */
export const builtins: TemplateFunctions = new Map<string, GoFunction>([
  ['and', goFunction(['value', 'value', '...'], (...args) => args.find(arg => !truth(arg)) ?? args.at(-1))],
  ['or', goFunction(['value', 'value', '...'], (...args) => args.find(truth) ?? args.at(-1))],
  ['not', goFunction(['value'], value => !truth(value))],
  ['len', goFunction(['value'], length)],
  ['index', goFunction(['value', 'value', '...'], (item, ...indexes) => indexes.reduce(indexed, nothing(item, 'index')))],
  ['slice', goFunction(['value', 'value', '...'], sliced)],
  ['print', goFunction(['any', '...'], (...args) => sprint(args))],
  ['println', goFunction(['any', '...'], (...args) => sprintln(args))],
  ['printf', goFunction(['string', 'any', '...'], (format, ...args) => sprintf(String(format), args))],
  ['eq', goFunction(['value', 'value', '...'], (first, ...others) => equals(first, others))],
  ['ne', goFunction(['value', 'value'], (a, b) => !equals(a, [b]))],
  ['lt', goFunction(['value', 'value'], lessThan)],
  ['le', goFunction(['value', 'value'], (a, b) => lessThan(a, b) || equals(a, [b]))],
  ['gt', goFunction(['value', 'value'], (a, b) => !(lessThan(a, b) || equals(a, [b])))],
  ['ge', goFunction(['value', 'value'], (a, b) => !lessThan(a, b))],
  ['call', goFunction(['value', 'value', '...'], value => notCallable(value, templateTypeOf(value)))],
  ['html', goFunction(['any', '...'], (...args) => escapeHtml(joined(args)))],
  ['js', goFunction(['any', '...'], (...args) => escapeJs(joined(args)))],
  ['urlquery', goFunction(['any', '...'], (...args) => escapeQuery(joined(args)))],
]);

/** Throws Go's error for a value that is called: data has no functions. Source: text/template funcs.go call. */
export function notCallable(value: TemplateValue, text: string): never {
  if (value === undefined || value === null) throw new Error('call of nil');
  throw new Error(`non-function ${text} of type ${templateTypeOf(value)}`);
}

function nothing(item: TemplateValue, what: string): TemplateValue {
  if (item === undefined || item === null) throw new Error(`${what} of untyped nil`);
  return item;
}

function length(value: TemplateValue): TemplateValue {
  if (typeof value === 'string') return BigInt(byteLength(value));
  if (isGoMap(value)) return BigInt(value.entries.size);
  if (isGoList(value)) return BigInt(value.items.length);
  if (value === null) throw new Error('len of nil pointer');
  if (value === undefined) throw new Error('reflect: call of reflect.Value.Type on zero Value');
  throw new Error(`len of type ${templateTypeOf(value)}`);
}

/** Source: text/template funcs.go index. */
function indexed(item: TemplateValue, index: TemplateValue): TemplateValue {
  if (item === undefined || item === null) throw new Error('index of nil pointer');
  if (isGoMap(item)) {
    if (index === undefined || index === null) throw new Error('value is nil; should be of type string');
    if (typeof index !== 'string') throw new Error(`value has type ${templateTypeOf(index)}; should be string`);
    return item.entries.has(index) ? item.entries.get(index) : zeroOf(item.element);
  }
  if (isGoList(item)) return item.items[elementAt(index, item.items.length, 'slice')];
  if (typeof item === 'string') {
    return { kind: 'integer', type: 'uint8', value: BigInt(Buffer.from(item)[elementAt(index, byteLength(item), 'string')] ?? 0) };
  }
  throw new Error(`can't index item of type ${templateTypeOf(item)}`);
}

/** Go checks an index against the length, as that of a slice; what follows the last element is an error of the reflection. */
function elementAt(index: TemplateValue, size: number, type: 'slice' | 'string'): number {
  const at = indexIn(index, size);
  if (at === size) throw new Error(`reflect: ${type} index out of range`);
  return at;
}

function indexIn(given: TemplateValue, last: number): number {
  const index = withoutType(given);
  if (index === undefined || index === null) throw new Error('cannot index slice/array with nil');
  if (typeof index !== 'bigint') throw new Error(`cannot index slice/array with type ${templateTypeOf(index)}`);
  if (index < 0n || index > BigInt(last)) throw new Error(`index out of range: ${index}`);
  return Number(index);
}

/** Indexes in an interface are not accepted, as `index` does. Source: text/template funcs.go slice. */
function sliced(given: TemplateValue, ...indexes: TemplateValue[]): TemplateValue {
  const item = nothing(inner(given), 'slice');
  if (indexes.length > 3) throw new Error(`too many slice indexes: ${indexes.length}`);
  if (typeof item === 'string' && indexes.length === 3) throw new Error('cannot 3-index slice a string');
  if (typeof item !== 'string' && !isGoList(item)) throw new Error(`can't slice item of type ${templateTypeOf(item)}`);
  const size = typeof item === 'string' ? byteLength(item) : item.items.length;
  const [from = 0, to = size, most = size] = indexes.map(index => {
    if (index === null) throw new Error('cannot index slice/array with type interface {}');
    return indexIn(index, size);
  });
  if (from > to) throw new Error(`invalid slice index: ${from} > ${to}`);
  if (to > most) throw new Error(`invalid slice index: ${to} > ${most}`);
  return typeof item === 'string' ? Buffer.from(item).subarray(from, to).toString() : goList(item.items.slice(from, to), item.element);
}

/** Source: text/template funcs.go evalArgs. */
function joined(args: readonly TemplateValue[]): string {
  return sprint(args.map(arg => (arg === undefined || arg === null ? '<no value>' : arg)));
}

function escapeHtml(text: string): string {
  const escapes: Readonly<Record<string, string>> = { '\0': '\ufffd', '"': '&#34;', "'": '&#39;', '&': '&amp;', '<': '&lt;', '>': '&gt;' };
  return text.replace(/[\0"'&<>]/g, character => ownMember(escapes, character) ?? character);
}

/** Source: text/template funcs.go JSEscape. */
function escapeJs(text: string): string {
  const escapes: Readonly<Record<string, string>> = {
    '\\': '\\\\',
    "'": "\\'",
    '"': '\\"',
    '<': '\\u003C',
    '>': '\\u003E',
    '&': '\\u0026',
    '=': '\\u003D',
  };
  return text.replace(
    /[\\'"<>&=\x00-\x1f\x7f-\u00a0]/g,
    character => ownMember(escapes, character) ?? `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
}

/** Source: net/url QueryEscape. */
function escapeQuery(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

const badType = 'invalid type for comparison';

function basicKind(given: TemplateValue): string {
  const value = withoutType(given);
  return typeof value === 'object' || value === undefined ? 'invalid' : typeof value;
}

/** Reports whether the first value equals one of the others. Throws an Error with Go's message. Source: text/template funcs.go eq. */
function equals(first: TemplateValue, others: readonly TemplateValue[]): boolean {
  if (others.length === 0) throw new Error('missing argument for comparison');
  return others.some(other => equalTo(first, other));
}

function equalTo(first: TemplateValue, other: TemplateValue): boolean {
  const isNil = (value: TemplateValue): boolean => value === undefined || value === null;
  if (basicKind(first) !== basicKind(other)) {
    if (!isNil(first) && !isNil(other))
      throw new Error(`incompatible types for comparison: ${templateTypeOf(first)} and ${templateTypeOf(other)}`);
    return false;
  }
  if (basicKind(first) !== 'invalid') return withoutType(first) === withoutType(other);
  if (isNil(first) || isNil(other)) return isNil(first) && isNil(other);
  if (kindOf(first) !== kindOf(other))
    throw new Error(
      `non-comparable types ${sprintf('%s', [first])}: ${templateTypeOf(first)}, ${templateTypeOf(other)}: ${printValue(other)}`,
    );
  throw new Error(`non-comparable type ${sprintf('%s', [other])}: ${templateTypeOf(other)}`);
}

function kindOf(value: TemplateValue): string {
  return typeof value === 'object' && value !== null ? value.kind : '';
}

/** Reports whether the first value is less than the second. Throws an Error with Go's message. Source: text/template funcs.go lt. */
function lessThan(givenFirst: TemplateValue, givenOther: TemplateValue): boolean {
  const [first, other] = [withoutType(givenFirst), withoutType(givenOther)];
  const [kind, otherKind] = [basicKind(first), basicKind(other)];
  if (kind === 'invalid' || otherKind === 'invalid') throw new Error(badType);
  if (kind !== otherKind)
    throw new Error(`incompatible types for comparison: ${templateTypeOf(givenFirst)} and ${templateTypeOf(givenOther)}`);
  if (typeof first === 'string' && typeof other === 'string') return Buffer.compare(Buffer.from(first), Buffer.from(other)) < 0;
  if (typeof first === 'bigint' && typeof other === 'bigint') return first < other;
  if (typeof first === 'number' && typeof other === 'number') return first < other;
  throw new Error(badType);
}
