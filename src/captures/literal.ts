import { ownMember } from '../go/own-members.js';
import { unescaped } from './escaped-text.js';
import { type Layer, LayerBuilder } from './layer.js';

/** Words of Python for JSON's. */
const literals: Readonly<Record<string, string>> = {
  True: 'true',
  False: 'false',
  None: 'null',
  true: 'true',
  false: 'false',
  null: 'null',
};

const space = /\s+|#[^\n]*|\/\/[^\n]*/y;
const word = /[A-Za-z_$][\w$]*/y;
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Max nesting, as in JSON. */
const maxDepth = 10_000;

const open = new Set(['{', '[']);
const closing = new Set(['}', ']']);

/**
 * Rewrites a literal of Python or JavaScript as JSON, from the brace at an offset to the matching one: single quotes, `True` and `None`, plain
 * keys, commas at the end, comments. Returns the JSON and the offset after the literal; for anything else, such as variables, only where it is,
 * and the offsets of the containers that have not ended.
 */
export function literalAsJson(
  layer: Layer,
  from: number,
): { readonly layer: Layer | undefined; readonly end: number; readonly open: readonly number[] } {
  const { text } = layer;
  const builder = new LayerBuilder(layer);
  const opened: number[] = [];
  let at = from;
  while (at < text.length) {
    const character = text[at] ?? '';
    if (open.has(character) || closing.has(character) || character === ':') {
      if (opened.length === maxDepth) return { layer: undefined, end: at, open: opened };
      if (open.has(character)) opened.push(at);
      else if (closing.has(character)) opened.pop();
      builder.copy(at, at + 1);
      at += 1;
      if (opened.length === 0) return { layer: builder.build(), end: at, open: [] };
    } else if (character === ',') {
      const next = endOfSpace(text, at + 1);
      if (!closing.has(text[next] ?? '')) builder.copy(at, at + 1);
      at += 1;
    } else if (character === '"' || character === "'") {
      const { layer: decoded, end } = unescaped(layer, at + 1, character);
      builder.put(JSON.stringify(decoded.text), at);
      at = end;
    } else {
      const spaces = endOfSpace(text, at) - at;
      const given = spaces === 0 ? plainToken(text, at) : { json: ' ', length: spaces };
      if (given === undefined) return { layer: undefined, end: at, open: opened };
      builder.put(given.json, at);
      at += given.length;
    }
  }
  return { layer: undefined, end: at, open: opened };
}

/** Returns the end of white space and comments. */
function endOfSpace(text: string, from: number): number {
  for (let at = from; ; ) {
    const { length } = matchAt(space, text, at);
    if (length === 0) return at;
    at += length;
  }
}

function plainToken(text: string, at: number): { readonly json: string; readonly length: number } | undefined {
  const digits = matchAt(number, text, at);
  if (digits !== '') return { json: digits, length: digits.length };
  const name = matchAt(word, text, at);
  if (name === '') return undefined;
  const isKey = /^\s*:/.test(text.slice(at + name.length, at + name.length + 20));
  const json = isKey ? JSON.stringify(name) : ownMember(literals, name);
  return json === undefined ? undefined : { json, length: name.length };
}

function matchAt(expression: RegExp, text: string, at: number): string {
  expression.lastIndex = at;
  return expression.exec(text)?.[0] ?? '';
}
