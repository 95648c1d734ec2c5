import { bytes, type CelValue, celNull, uint } from '../values/value.js';
import { type TreeNode, tokenOf } from './parse-tree.js';
import { UnescapeError, unescapeBytes, unescapeText } from './unescape.js';

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
