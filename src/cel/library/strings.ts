import { trimSpace } from '../../go/white-space.js';
import { binary, type FunctionDeclaration, fn, memberDeclaration, overload, unary, variadic } from '../check/declarations.js';
import { foundItemsOf } from '../values/found.js';
import { printed } from '../values/printed.js';
import { DYN, INT, listType, STRING } from '../values/type.js';
import { type CelValue, celError, celListOf, isCelListValue, noSuchOverload } from '../values/value.js';
import { formatText } from './string-format.js';
import { replaceFirst, splitText } from './string-parts.js';

/** String library, version 2. Source: cel-go ext/strings.go. */
export const stringFunctions: readonly FunctionDeclaration[] = [
  fn(
    'charAt',
    memberDeclaration(
      'string_char_at_int',
      [STRING, INT],
      STRING,
      binary((s, i) => withText(s, text => charAt(text, i))),
    ),
  ),
  fn(
    'indexOf',
    memberDeclaration(
      'string_index_of_string',
      [STRING, STRING],
      INT,
      binary((s, part) => indexOf(s, part, 0n)),
    ),
    memberDeclaration(
      'string_index_of_string_int',
      [STRING, STRING, INT],
      INT,
      variadic((s = '', part = '', offset = 0n) => indexOf(s, part, offset)),
    ),
  ),
  fn(
    'lastIndexOf',
    memberDeclaration('string_last_index_of_string', [STRING, STRING], INT, binary(lastIndexOf)),
    memberDeclaration(
      'string_last_index_of_string_int',
      [STRING, STRING, INT],
      INT,
      variadic((s = '', part = '', offset = 0n) => lastIndexFrom(s, part, offset)),
    ),
  ),
  fn(
    'lowerAscii',
    memberDeclaration(
      'string_lower_ascii',
      [STRING],
      STRING,
      unary(s => withText(s, text => text.replace(/[A-Z]/g, c => c.toLowerCase()))),
    ),
  ),
  fn(
    'replace',
    memberDeclaration(
      'string_replace_string_string',
      [STRING, STRING, STRING],
      STRING,
      variadic((s = '', old = '', by = '') => replace(s, [old, by], -1n)),
    ),
    memberDeclaration(
      'string_replace_string_string_int',
      [STRING, STRING, STRING, INT],
      STRING,
      variadic((s = '', old = '', by = '', n = 0n) => replace(s, [old, by], n)),
    ),
  ),
  fn(
    'split',
    memberDeclaration(
      'string_split_string',
      [STRING, STRING],
      listType(STRING),
      binary((s, separator) => split(s, separator, -1n)),
    ),
    memberDeclaration(
      'string_split_string_int',
      [STRING, STRING, INT],
      listType(STRING),
      variadic((s = '', separator = '', n = 0n) => split(s, separator, n)),
    ),
  ),
  fn(
    'substring',
    memberDeclaration(
      'string_substring_int',
      [STRING, INT],
      STRING,
      binary((s, start) => withText(s, text => substringFrom(text, start))),
    ),
    memberDeclaration(
      'string_substring_int_int',
      [STRING, INT, INT],
      STRING,
      variadic((s = '', start = 0n, end = 0n) => withText(s, text => substring(text, start, end))),
    ),
  ),
  fn(
    'trim',
    memberDeclaration(
      'string_trim',
      [STRING],
      STRING,
      unary(s => withText(s, trimSpace)),
    ),
  ),
  fn(
    'upperAscii',
    memberDeclaration(
      'string_upper_ascii',
      [STRING],
      STRING,
      unary(s => withText(s, text => text.replace(/[a-z]/g, c => c.toUpperCase()))),
    ),
  ),
  fn(
    'format',
    memberDeclaration(
      'string_format',
      [STRING, listType(DYN)],
      STRING,
      variadic((s = '', args = '') => format(s, args)),
    ),
  ),
  fn(
    'strings.quote',
    overload(
      'strings_quote',
      [STRING],
      STRING,
      unary(s => withText(s, quoteForCel)),
    ),
  ),
  fn(
    'join',
    memberDeclaration(
      'list_join',
      [listType(STRING)],
      STRING,
      unary(list => join(list, '')),
    ),
    memberDeclaration('list_join_string', [listType(STRING), STRING], STRING, binary(join)),
  ),
];

function withText(value: CelValue, use: (text: string) => CelValue): CelValue {
  return typeof value === 'string' ? use(value) : noSuchOverload(value);
}

function outOfRange(index: bigint): CelValue {
  return celError(`index out of range: ${index}`);
}

function charAt(text: string, index: CelValue): CelValue {
  if (typeof index !== 'bigint') return noSuchOverload(index);
  const characters = Array.from(text);
  if (index < 0n || index > BigInt(characters.length)) return outOfRange(index);
  return characters[Number(index)] ?? '';
}

function indexOf(s: CelValue, part: CelValue, offset: CelValue): CelValue {
  if (typeof s !== 'string' || typeof part !== 'string' || typeof offset !== 'bigint') return noSuchOverload();
  if (part === '') return offset;
  if (offset < 0n) return outOfRange(offset);
  const characters = Array.from(s);
  const wanted = Array.from(part);
  if (offset >= BigInt(characters.length)) return -1n;
  for (let at = Number(offset); at <= characters.length - wanted.length; at += 1) if (standsAt(characters, wanted, at)) return BigInt(at);
  return -1n;
}

function lastIndexOf(s: CelValue, part: CelValue): CelValue {
  if (typeof s !== 'string' || typeof part !== 'string') return noSuchOverload();
  const length = BigInt(Array.from(s).length);
  if (part === '') return length;
  return Buffer.byteLength(s) < Buffer.byteLength(part) ? -1n : lastIndexFrom(s, part, length - 1n);
}

function lastIndexFrom(s: CelValue, part: CelValue, offset: CelValue): CelValue {
  if (typeof s !== 'string' || typeof part !== 'string' || typeof offset !== 'bigint') return noSuchOverload();
  if (part === '') return offset;
  if (offset < 0n) return outOfRange(offset);
  const characters = Array.from(s);
  const wanted = Array.from(part);
  if (offset >= BigInt(characters.length)) return -1n;
  const last = Math.min(Number(offset), characters.length - wanted.length);
  for (let at = last; at >= 0; at -= 1) if (standsAt(characters, wanted, at)) return BigInt(at);
  return -1n;
}

function standsAt(characters: readonly string[], wanted: readonly string[], at: number): boolean {
  return wanted.every((c, i) => characters[at + i] === c);
}

function replace(s: CelValue, [old, by]: readonly [CelValue, CelValue], n: CelValue): CelValue {
  if (typeof s !== 'string' || typeof old !== 'string' || typeof by !== 'string' || typeof n !== 'bigint') return noSuchOverload();
  return replaceFirst(s, [old, by], n);
}

function split(s: CelValue, separator: CelValue, n: CelValue): CelValue {
  if (typeof s !== 'string' || typeof separator !== 'string' || typeof n !== 'bigint') return noSuchOverload();
  return { ...celListOf(splitText(s, separator, n)), inside: 'texts' };
}

function substringFrom(text: string, start: CelValue): CelValue {
  if (typeof start !== 'bigint') return noSuchOverload(start);
  const characters = Array.from(text);
  if (start < 0n || start > BigInt(characters.length)) return outOfRange(start);
  return characters.slice(Number(start)).join('');
}

function substring(text: string, start: CelValue, end: CelValue): CelValue {
  if (typeof start !== 'bigint' || typeof end !== 'bigint') return noSuchOverload();
  if (start > end) return celError(`invalid substring range. start: ${start}, end: ${end}`);
  const characters = Array.from(text);
  const length = BigInt(characters.length);
  if (start < 0n || start > length) return outOfRange(start);
  if (end < 0n || end > length) return outOfRange(end);
  return characters.slice(Number(start), Number(end)).join('');
}

function format(s: CelValue, args: CelValue): CelValue {
  if (typeof s !== 'string' || !isCelListValue(args)) return noSuchOverload();
  return formatText(s, foundItemsOf(args));
}

function join(list: CelValue, separator: CelValue): CelValue {
  if (!isCelListValue(list) || typeof separator !== 'string') return noSuchOverload();
  const parts: string[] = [];
  for (const item of foundItemsOf(list)) {
    if (typeof item !== 'string') return celError(`join: invalid input: ${printed(item)}`);
    parts.push(item);
  }
  return parts.join(separator);
}

const celEscapes: ReadonlyMap<string, string> = new Map([
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
  ['"', '\\"'],
]);

function quoteForCel(text: string): string {
  return `"${Array.from(text, c => celEscapes.get(c) ?? c).join('')}"`;
}
