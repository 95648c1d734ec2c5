import { bytes, type CelValue, celNull, uint } from '../values/value.js';
import { type TreeNode, tokenOf } from './parse-tree.js';

/** The value of a literal, or an error; undefined when the parser matched none. Source: cel-go parser.go. */
export function literalValue(node: TreeNode): { readonly value: CelValue } | { readonly error: string } | undefined {
  const text = tokenOf(node, 'tok')?.text;
  if (text === undefined) return undefined;
  const sign = tokenOf(node, 'sign')?.text ?? '';
  switch (node.alternative) {
    case 1:
      return integer(text, sign);
    case 2:
      return unsigned(text.slice(0, -1));
    case 3:
      return double(sign + text);
    case 4:
      return unescaped(() => unescapeText(text));
    case 5:
      return unescaped(() => bytes(unescapeBytes(text.slice(1))));
    case 6:
      return { value: true };
    case 7:
      return { value: false };
    default:
      return { value: celNull };
  }
}

function integer(digits: string, sign: string): { readonly value: bigint } | { readonly error: string } {
  const value = sign === '' ? BigInt(digits) : -BigInt(digits);
  return BigInt.asIntN(64, value) === value ? { value } : { error: 'invalid int literal' };
}

function unsigned(digits: string): { readonly value: CelValue } | { readonly error: string } {
  const value = BigInt(digits);
  return BigInt.asUintN(64, value) === value ? { value: uint(value) } : { error: 'invalid uint literal' };
}

function double(text: string): { readonly value: number } | { readonly error: string } {
  const value = Number(text);
  return Number.isFinite(value) ? { value } : { error: 'invalid double literal' };
}

function unescaped(read: () => CelValue): { readonly value: CelValue } | { readonly error: string } {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof UnescapeError) return { error: error.message };
    throw error;
  }
}

/** A literal has invalid escapes; the message is cel-go's. */
class UnescapeError extends Error {
  override readonly name = 'UnescapeError';
}

/** Unescapes a string literal, with its quotes and prefix. Throws UnescapeError. Source: cel-go parser/unescape.go. */
function unescapeText(literal: string): string {
  const { body, raw } = bodyOf(literal);
  if (raw || !body.includes('\\')) return body;
  let out = '';
  for (const piece of pieces(body)) {
    const code = typeof piece === 'string' ? piece.codePointAt(0) : piece.code;
    if (code === undefined || !isCodePoint(code)) throw new UnescapeError('invalid unicode code point');
    out += String.fromCodePoint(code);
  }
  return out;
}

/** Unescapes a bytes literal without its `b`. Throws UnescapeError. */
function unescapeBytes(literal: string): Uint8Array {
  const { body, raw } = bodyOf(literal);
  const encoder = new TextEncoder();
  if (raw || !body.includes('\\')) return encoder.encode(body);
  const out: number[] = [];
  for (const piece of pieces(body)) {
    if (typeof piece === 'string') out.push(...encoder.encode(piece));
    else if (piece.unicode) throw new UnescapeError('unable to unescape string');
    else out.push(piece.code & 0xff);
  }
  return Uint8Array.from(out);
}

function bodyOf(literal: string): { readonly body: string; readonly raw: boolean } {
  const normal = literal.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const raw = /^[rR]/.test(normal);
  const quoted = raw ? normal.slice(1) : normal;
  const triple = quoted.length >= 6 && (quoted.startsWith("'''") || quoted.startsWith('"""'));
  return { body: triple ? quoted.slice(3, -3) : quoted.slice(1, -1), raw };
}

type Escaped = { readonly code: number; readonly unicode: boolean };

const escapeSequence = /\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|(.))/su;
const simple: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['b', 8],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['v', 11],
]);

/** Sequences of plain characters and escapes. */
function* pieces(body: string): Generator<string | Escaped> {
  let rest = body;
  for (let match = escapeSequence.exec(rest); match !== null; match = escapeSequence.exec(rest)) {
    yield* rest.slice(0, match.index);
    const [all, byte, short, long, octal, character = ''] = match;
    const hex = byte ?? short ?? long;
    if (hex !== undefined) yield { code: Number.parseInt(hex, 16), unicode: byte === undefined };
    else if (octal !== undefined) yield { code: Number.parseInt(octal, 8), unicode: false };
    else yield { code: simple.get(character) ?? character.codePointAt(0) ?? 0, unicode: false };
    rest = rest.slice(match.index + all.length);
  }
  yield* rest;
}

function isCodePoint(code: number): boolean {
  return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}
