import { goFloat, goString } from '../go/json/write.js';
import { compareKeys } from '../go/key-order.js';
import type { Value, ValueMap } from '../go/value.js';
import { isList, isMap, isRawJson } from '../go/value.js';
import { readUnstructured } from './unstructured.js';
import { resolveScalar } from './yaml/resolve.js';

/**
 * Writes a value as YAML for people, in the layout of `kubectl get -o yaml`: keys sorted, lists at the indentation of their key,
 * multi-line strings as blocks. Long lines are not folded. Ends with a newline. The output parses to the same value.
 */
export function writeYaml(value: Value): string {
  return `${linesOf(value).join('\n')}\n`;
}

function linesOf(value: Value): string[] {
  if (isRawJson(value)) return linesOf(readUnstructured(value.rawJson));
  if (isMap(value)) return value.size === 0 ? ['{}'] : sorted(value).flatMap(([key, member]) => memberLines(key, member));
  if (isList(value)) return value.length === 0 ? ['[]'] : value.flatMap(itemLines);
  return [scalar(value)];
}

function sorted(map: ValueMap): [string, Value][] {
  return [...map].sort(([a], [b]) => compareKeys(a, b));
}

function memberLines(key: string, given: Value): string[] {
  const value = isRawJson(given) ? readUnstructured(given.rawJson) : given;
  if (isMap(value) && value.size > 0) return [...yamlKey(key, ''), ...linesOf(value).map(indented)];
  if (isList(value) && value.length > 0) return [...yamlKey(key, ''), ...linesOf(value)];
  if (isBlock(value)) return [...yamlKey(key, ` ${blockHeader(value)}`), ...blockLines(value)];
  return yamlKey(key, ` ${linesOf(value).join('')}`);
}

/** Returns the first lines of a member of a block: its key, and the rest of the line. Parsers look for the colon of a short key only. */
export function yamlKey(key: string, rest: string): string[] {
  const name = plainOrQuotedYaml(key);
  return name.length > maxSimpleKey ? [`? ${name}`, `:${rest}`] : [`${name}:${rest}`];
}

/** Characters; parsers allow 1024. */
export const maxSimpleKey = 1000;

function itemLines(given: Value): string[] {
  const value = isRawJson(given) ? readUnstructured(given.rawJson) : given;
  if (isBlock(value)) return [`- ${blockHeader(value)}`, ...blockLines(value)];
  const [first = '', ...rest] = linesOf(value);
  return [`- ${first}`, ...rest.map(indented)];
}

function indented(line: string): string {
  return line === '' ? line : `  ${line}`;
}

function scalar(value: Exclude<Value, Value[] | ValueMap>): string {
  if (typeof value === 'string') return plainOrQuotedYaml(value);
  if (typeof value === 'number') return goFloat(value);
  return String(value);
}

/** Returns whether a value is a multi-line string that a block can hold without escapes. */
function isBlock(value: Value): value is string {
  if (typeof value !== 'string' || !value.includes('\n') || /^\s/.test(value) || /[ \t](\n|$)/.test(value)) return false;
  return !needsEscapes.test(value.replace(/[\n\t]/g, '')) && !runnerCommand.test(value);
}

function blockHeader(text: string): string {
  if (!text.endsWith('\n')) return '|-';
  return text.endsWith('\n\n') ? '|+' : '|';
}

function blockLines(text: string): string[] {
  const lines = text.split('\n');
  if (text.endsWith('\n')) lines.pop();
  return lines.map(indented);
}

/** Writes a string in one line: plain if every YAML parser reads it as the same string, in single quotes if that suffices, otherwise as JSON. */
export function plainOrQuotedYaml(text: string): string {
  if (needsEscapes.test(text) || runnerCommand.test(text)) return escapedYaml(goString(text));
  return isPlain(text) ? text : `'${text.replaceAll("'", "''")}'`;
}

/** Characters that YAML does not allow, those that change the direction of a terminal, and those that nobody sees. */
const needsEscapes =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff\ud800-\udfff]/u;

/** What a runner of a pipeline takes for a command anywhere in a line: the output of a job shows YAML. */
const runnerCommand = /#{2}[a-z]*\[/;

/** Escapes, in a text in double quotes or a comment, what YAML does not allow there and what a runner takes for a command. */
export function escapedYaml(text: string): string {
  return text
    .replace(new RegExp(needsEscapes.source, 'gu'), character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(/#{2}(?=[a-z]*\[)/g, '#\\u0023');
}

function isPlain(text: string): boolean {
  if (text === '' || /^[\s]|[\s]$/.test(text)) return false;
  if (/^[-?:,[\]{}#&*!|>'"%@`=<]/.test(text) && !/^-[^\s\d.,[\]{}]/.test(text)) return false;
  if (/: |:$| #|^---|^\.\.\./.test(text)) return false;
  return isStringEverywhere(text);
}

/** Returns whether every parser reads it as a string, also those that know times and dates. */
function isStringEverywhere(text: string): boolean {
  const meaning = resolveScalar({ kind: 'scalar', line: 0, column: 0, tag: '', value: text, implicit: true });
  return typeof meaning === 'string' && !/^[-+]?[\d_]+(:[0-5]?\d)+(\.\d*)?$|^\d{4}-\d\d?-\d\d?/.test(text) && !/^0o[0-7]+$/.test(text);
}
