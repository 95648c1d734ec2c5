import { goFloat, goString } from '../go/json/write.js';
import { compareKeys } from '../go/key-order.js';
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
  return scalarLines(value, { indent, column: indent });
}

function plain(value: Value): Value {
  return isRawJson(value) ? readUnstructured(value.rawJson) : value;
}

function mapLines(map: ValueMap, indent: number): string[] {
  const pad = ' '.repeat(indent);
  return [...map]
    .sort(([a], [b]) => compareKeys(a, b))
    .flatMap(([key, given]) => {
      const value = plain(given);
      const name = `${pad}${scalarText(key)}:`;
      if (isMap(value) && value.size > 0) return [name, ...mapLines(value, indent + 2)];
      // A list is not indented below its key.
      if (isList(value) && value.length > 0) return [name, ...listLines(value, indent)];
      const [first = '', ...rest] = scalarLines(value, { indent: indent + 2, column: name.length + 1 });
      return [`${name} ${first}`, ...rest];
    });
}

function listLines(list: readonly Value[], indent: number): string[] {
  const pad = ' '.repeat(indent);
  return list.flatMap(item => {
    const value = plain(item);
    const isBlock = (isMap(value) && value.size > 0) || (isList(value) && value.length > 0);
    const lines = isBlock ? blockOf(value, indent + 2) : scalarLines(value, { indent: indent + 2, column: indent + 2 });
    const [first = '', ...rest] = lines;
    return [`${pad}- ${isBlock ? first.slice(indent + 2) : first}`, ...rest];
  });
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
  if (value.includes('\n') && isLiteral(value)) return literalLines(value, place.indent);
  return folded(scalarText(value), place);
}

/** A block cannot represent a space before a line break, and characters that need escapes. */
function isLiteral(text: string): boolean {
  return !/^[ \n]| \n| $/.test(text) && !mustEscape.test(text.replaceAll('\n', ''));
}

function literalLines(text: string, indent: number): string[] {
  const header = text.endsWith('\n\n') ? '|+' : text.endsWith('\n') ? '|' : '|-';
  const lines = text.replace(/\n$/, '').split('\n');
  return [header, ...lines.map(line => (line === '' ? '' : `${' '.repeat(indent)}${line}`))];
}

/** Characters that the emitter cannot print. */
const mustEscape = /[\u0000-\u0009\u000b-\u001f\u007f-\u0084\u0086-\u009f\ud800-\udfff\ufeff\ufffe\uffff\u2028\u2029]/u;

function scalarText(text: string): string {
  if (mustEscape.test(text) || text.includes('\n')) return escaped(text);
  if (!meansText(text)) return escaped(text);
  return isPlainAllowed(text) ? text : `'${text.replaceAll("'", "''")}'`;
}

function escaped(text: string): string {
  return goString(text).replace(/\\u003c|\\u003e|\\u0026/g, unit => String.fromCharCode(Number.parseInt(unit.slice(2), 16)));
}

/** A string that would be parsed as another type is double-quoted. */
function meansText(text: string): boolean {
  if (text === '' || isTimestamp(text) || /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/.test(text)) return false;
  return typeof resolveScalar({ kind: 'scalar', line: 0, column: 0, tag: '', value: text, implicit: true }) === 'string';
}

function isPlainAllowed(text: string): boolean {
  if (/^\s|\s$/.test(text) || text.startsWith('---') || text.startsWith('...')) return false;
  if (/^[#,[\]{}&*!|>'"%@`]/.test(text) || /^[-?:](?:\s|$)/.test(text)) return false;
  return !/:(?:\s|$)|\s#/.test(text);
}

const bestWidth = 80;

/** Breaks lines at single spaces after the best width. */
function folded(text: string, { indent, column }: ScalarPlace): string[] {
  const quote = text[0] === "'" || text[0] === '"' ? 1 : 0;
  const lines: string[] = [];
  let [line, at] = ['', column];
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i] ?? '';
    const isBreak = character === ' ' && text[i - 1] !== ' ' && text[i + 1] !== ' ' && i > quote && i < text.length - 1 - quote;
    if (isBreak && at > bestWidth) {
      lines.push(line);
      [line, at] = [' '.repeat(indent), indent];
      continue;
    }
    line += character;
    at += 1;
  }
  return [...lines, line];
}
