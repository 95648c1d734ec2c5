import type { Range } from '../diagnostics/problem.js';
import { lineEnd } from '../text/line-starts.js';
import { entryOf, type ListTextNode, type MapTextNode, type ScalarTextNode, targetOfAlias } from '../text/text-node.js';

/** A change of a document. Offsets are in the document. */
export interface TextEdit extends Range {
  readonly newText: string;
}

/** Text of a document and how strings are written in it. */
export interface EditedText {
  readonly text: string;
  readonly format: 'yaml' | 'json';
}

/** Replaces a value. */
export function replaceScalar({ format }: EditedText, { start, end }: ScalarTextNode, value: string): TextEdit {
  return { start, end, newText: scalarText(value, format) };
}

/** Sets a member to a value, which is written as JSON. Undefined if the member exists and is not a scalar, and for a map without members. */
export function setMember(
  edited: EditedText,
  map: MapTextNode,
  { key, json }: { readonly key: string; readonly json: string },
): TextEdit | undefined {
  const known = entryOf(map, key);
  if (known !== undefined) {
    const value = targetOfAlias(known.value);
    return known.value.kind === 'scalar' && value.kind === 'scalar' ? { ...rangeOf(known.value), newText: json } : undefined;
  }
  const last = map.entries.at(-1);
  const [first] = map.entries;
  if (last === undefined || first === undefined) return undefined;
  const { text, format } = edited;
  const name = scalarText(key, format);
  if (isFlow(text, map)) return insertion(last.value.end, `, ${name}: ${json}`);
  // Before the first member: what comes after the last one may be a comment or a block scalar.
  const lineStart = text.lastIndexOf('\n', first.keyStart - 1) + 1;
  const indent = ' '.repeat(first.keyStart - lineStart);
  return insertion(first.keyStart, `${name}: ${json}${lineBreakOf(text)}${indent}`);
}

/** Adds a string to the end of a list; undefined for an empty list. */
export function addItem({ text, format }: EditedText, list: ListTextNode, value: string): TextEdit | undefined {
  const last = list.items.at(-1);
  if (last === undefined) return undefined;
  const written = scalarText(value, format);
  if (isFlow(text, list)) return insertion(last.end, `, ${written}`);
  const lineStart = text.lastIndexOf('\n', last.start - 1) + 1;
  const indent = /^ */.exec(text.slice(lineStart, last.start))?.[0] ?? '';
  return insertion(lineEnd(text, last.end), `${lineBreakOf(text)}${indent}- ${written}`);
}

function insertion(at: number, newText: string): TextEdit {
  return { start: at, end: at, newText };
}

function rangeOf({ start, end }: Range): Range {
  return { start, end };
}

function isFlow(text: string, { start }: Range): boolean {
  return text[start] === '{' || text[start] === '[';
}

function lineBreakOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** A word that no version of YAML reads as anything but a string is written as it is. */
function scalarText(value: string, format: EditedText['format']): string {
  const isWord = /^[A-Za-z][\w./-]*$/.test(value) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(value);
  if (format === 'yaml' && isWord) return value;
  return format === 'yaml' && /^[^\n\r']*$/.test(value) && /^[\x20-\x7e]*$/.test(value) ? `'${value}'` : JSON.stringify(value);
}
