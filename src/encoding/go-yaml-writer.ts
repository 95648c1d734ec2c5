import { goFloat } from '../go/json/write.js';
import { ownMember } from '../go/own-members.js';
import { isList, isMap, isRawJson, type Value, type ValueMap } from '../go/value.js';
import { readUnstructured } from './unstructured.js';
import { resolveScalar } from './yaml/resolve.js';
import { isTimestamp } from './yaml/timestamp.js';

/** A value as the API server writes YAML: keys sorted, long lines folded. Source: sigs.k8s.io/yaml, goyaml.v2 encode.go, emitterc.go. */
export function writeGoYaml(value: Value): string {
  return `${blockOf(value, 0).join('\n')}\n`;
}

/** Returns the lines of a value, indented to a column. */
function blockOf(given: Value, indent: number): string[] {
  const value = plain(given);
  if (isMap(value) && value.size > 0) return mapLines(value, indent);
  if (isList(value) && value.length > 0) return listLines(value, indent);
  // Only a document that is a scalar gets here; the lines after its first one are indented.
  return scalarLines(value, { indent: indent + 2, column: indent });
}

function plain(value: Value): Value {
  return isRawJson(value) ? readUnstructured(value.rawJson) : value;
}

function mapLines(map: ValueMap, indent: number): string[] {
  const pad = ' '.repeat(indent);
  return [...map]
    .sort(([a], [b]) => compareYamlKeys(a, b))
    .flatMap(([key, given]) => {
      const value = plain(given);
      if (!isSimpleKey(key)) return [...markedLines('?', key, indent), ...markedLines(':', value, indent)];
      const name = `${pad}${scalarText(key)}:`;
      if (isMap(value) && value.size > 0) return [name, ...mapLines(value, indent + 2)];
      // A list is not indented below its key.
      if (isList(value) && value.length > 0) return [name, ...listLines(value, indent)];
      const [first = '', ...rest] = scalarLines(value, { indent: indent + 2, column: name.length + 1 });
      return [`${name} ${first}`, ...rest];
    });
}

/** Max length of a key that precedes its value in a line, in bytes. */
const maxSimpleKey = 128;

function isSimpleKey(key: string): boolean {
  return !/[\n\r\u0085\u2028\u2029]/.test(key) && Buffer.byteLength(key) <= maxSimpleKey;
}

/** Returns the lines of a value after a marker: an item of a list, or a key or value that do not fit in a line. */
function markedLines(marker: string, value: Value, indent: number): string[] {
  const isBlock = (isMap(value) && value.size > 0) || (isList(value) && value.length > 0);
  const lines = isBlock ? blockOf(value, indent + 2) : scalarLines(value, { indent: indent + 2, column: indent + 2 });
  const [first = '', ...rest] = lines;
  return [`${' '.repeat(indent)}${marker} ${isBlock ? first.slice(indent + 2) : first}`, ...rest];
}

function listLines(list: readonly Value[], indent: number): string[] {
  return list.flatMap(item => markedLines('-', plain(item), indent));
}

interface ScalarPlace {
  /** Indentation of the following lines. */
  readonly indent: number;
  /** Column where the scalar starts. */
  readonly column: number;
}

function scalarLines(value: Value, place: ScalarPlace): string[] {
  if (isMap(value)) return ['{}'];
  if (isList(value)) return ['[]'];
  if (typeof value !== 'string') return [typeof value === 'number' ? goFloat(value) : String(value)];
  if (value.includes('\n') && isBlockAllowed(value)) return literalLines(value, place.indent);
  return folded(scalarText(value), place);
}

function literalLines(text: string, indent: number): string[] {
  // The indentation cannot be seen in a first line that is empty or begins with a space.
  const hint = /^[ \n]/.test(text) ? '2' : '';
  const chomping = text.endsWith('\n\n') || text === '\n' ? '+' : text.endsWith('\n') ? '' : '-';
  const header = `|${hint}${chomping}`;
  const lines = text.replace(/\n$/, '').split('\n');
  return [header, ...lines.map(line => (line === '' ? '' : `${' '.repeat(indent)}${line}`))];
}

const bestWidth = 80;

/** Breaks lines at spaces after the best width: at single ones, in double quotes at the first of several, with the next one escaped. */
function folded(text: string, { indent, column }: ScalarPlace): string[] {
  const quote = text[0] === "'" || text[0] === '"' ? 1 : 0;
  const isDouble = text[0] === '"';
  const lines: string[] = [];
  let [line, at] = ['', column];
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i] ?? '';
    const isSingle = text[i - 1] !== ' ' && (isDouble || text[i + 1] !== ' ');
    if (character === ' ' && isSingle && i > quote && i < text.length - 1 - quote && at > bestWidth) {
      lines.push(line);
      line = ' '.repeat(indent) + (text[i + 1] === ' ' ? '\\' : '');
      at = line.length;
      continue;
    }
    line += character;
    at += 1;
  }
  return [...lines, line];
}

/**
 * Compares two keys as go-yaml sorts them: letters after other characters, numbers by their value. Negative, zero or positive, for
 * `Array.sort`. Source: goyaml.v2 sorter.go.
 */
function compareYamlKeys(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const at = left.findIndex((character, i) => character !== right[i]);
  const [x, y] = [left[at], right[at]];
  if (x === undefined || y === undefined) return left.length - right.length;
  const [isLetterX, isLetterY] = [isLetter(x), isLetter(y)];
  if (isLetterX !== isLetterY) return isLetterX ? 1 : -1;
  if (isLetterX) return codeOf(x) - codeOf(y);
  // A zero counts inside of a number, not at its start.
  const isInside = (x === '0' || y === '0') && /[1-9]\d*$/.test(left.slice(0, at).join(''));
  const [digitsX, digitsY] = [digitsAt(left, at), digitsAt(right, at)];
  const lead = isInside ? '1' : '0';
  const difference = BigInt(lead + digitsX) - BigInt(lead + digitsY);
  if (difference !== 0n) return difference < 0n ? -1 : 1;
  return digitsX.length - digitsY.length || codeOf(x) - codeOf(y);
}

function isLetter(character: string): boolean {
  return /\p{L}/u.test(character);
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function digitsAt(characters: readonly string[], at: number): string {
  return /^\d*/.exec(characters.slice(at).join(''))?.[0] ?? '';
}

/** Returns a string as a plain or quoted scalar in one line. Source: goyaml.v2 encode.go stringv, emitterc.go yaml_emitter_select_scalar_style. */
function scalarText(text: string): string {
  if (text.includes('\n') || !meansText(text)) return doubleQuoted(text);
  if (isPlainAllowed(text)) return text;
  return isSingleQuotedAllowed(text) ? `'${text.replaceAll("'", "''")}'` : doubleQuoted(text);
}

/** Returns whether a block scalar can hold a text: no space before a line break or at the end, and no characters that need escapes. */
function isBlockAllowed(text: string): boolean {
  return !hasSpaceBeforeBreak.test(text) && !text.endsWith(' ') && !unprintable.test(text.replaceAll('\n', ''));
}

const hasSpaceBeforeBreak = / [\n\r\u0085\u2028\u2029]/;

/** Characters that are escaped. Source: yamlprivateh.go is_printable. */
const unprintable = /[\u0000-\u001f\u007f-\u009f\ud800-\udfff\ufeff\ufffe\uffff\u{10000}-\u{10ffff}]/u;

/** A string that would be parsed as another type is double-quoted. */
function meansText(text: string): boolean {
  if (text === '' || isTimestamp(text) || /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/.test(text)) return false;
  return typeof resolveScalar({ kind: 'scalar', line: 0, column: 0, tag: '', value: text, implicit: true }) === 'string';
}

/** Source: emitterc.go yaml_emitter_analyze_scalar. */
function isPlainAllowed(text: string): boolean {
  if (unprintable.test(text) || /[\u2028\u2029]/.test(text) || /^ | $/.test(text) || /^(?:---|\.\.\.)/.test(text)) return false;
  if (/^[#,[\]{}&*!|>'"%@`]/.test(text) || /^[-?:](?:[ \t]|$)/.test(text)) return false;
  return !/:(?:[ \t]|$)|[ \t]#/.test(text);
}

function isSingleQuotedAllowed(text: string): boolean {
  return !unprintable.test(text) && !hasSpaceBeforeBreak.test(text) && !/[\n\r\u0085\u2028\u2029] /.test(text);
}

const escapes: Readonly<Record<string, string>> = {
  '\0': '0',
  '\u0007': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\u001b': 'e',
  '"': '"',
  '\\': '\\',
  '\u0085': 'N',
  '\u2028': 'L',
  '\u2029': 'P',
};

/** Source: emitterc.go yaml_emitter_write_double_quoted. */
function doubleQuoted(text: string): string {
  const characters = [...text].map(character => {
    const letter = ownMember(escapes, character);
    if (letter !== undefined) return `\\${letter}`;
    return unprintable.test(character) ? numericEscape(character.codePointAt(0) ?? 0) : character;
  });
  return `"${characters.join('')}"`;
}

function numericEscape(code: number): string {
  const [letter, length] = code <= 0xff ? ['x', 2] : code <= 0xffff ? ['u', 4] : ['U', 8];
  return `\\${letter}${code.toString(16).toUpperCase().padStart(Number(length), '0')}`;
}
