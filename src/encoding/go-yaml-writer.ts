import { goFloat } from '../go/json/write.js';
import { isList, isMap, isRawJson, type Value, type ValueMap } from '../go/value.js';
import { compareYamlKeys } from './go-yaml-keys.js';
import { isBlockAllowed, scalarText } from './go-yaml-scalars.js';
import { readUnstructured } from './unstructured.js';

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
