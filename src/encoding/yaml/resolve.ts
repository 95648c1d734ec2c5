import { Base64Error, decodeGoBase64 } from '../../go/base64.js';
import { decodeUtf8Bytes } from '../../go/utf8.js';
import type { GoScalar } from './go-values.js';
import type { YamlScalarNode } from './nodes.js';
import { isTimestamp } from './timestamp.js';
import { YamlError } from './yaml-error.js';

/**
 * Resolves a scalar: YAML 1.1's booleans, integers in Go's notations, floats; everything else is a string, timestamps, too. Throws
 * YamlError if a tag contradicts the text. Source: go-yaml v2 resolve.go.
 */
export function resolveScalar(node: YamlScalarNode): GoScalar {
  const { tag, value } = node;
  if (tag === '') return node.implicit ? meaningOf(value, '').value : value;
  if (tag === `${tagPrefix}binary`) return binaryText(node);
  if (tag === `${tagPrefix}str` || !resolvableTags.has(tag)) return value;
  const meaning = meaningOf(value, tag);
  if (tag === tagPrefix + meaning.type) return meaning.value;
  if (tag === `${tagPrefix}float` && meaning.type === 'int' && typeof meaning.value === 'bigint' && meaning.value < int64End) {
    return Number(meaning.value);
  }
  throw new YamlError(`yaml: cannot decode !!${meaning.type} \`${value}\` as a !!${tag.slice(tagPrefix.length)}`, node);
}

/** Returns whether a key merges the maps of its value into the mapping. */
export function isMergeKey(node: YamlScalarNode): boolean {
  return node.value === '<<' && (node.implicit || node.tag === `${tagPrefix}merge`);
}

const tagPrefix = 'tag:yaml.org,2002:';
const resolvableTags = new Set(['str', 'bool', 'int', 'float', 'null', 'timestamp'].map(name => tagPrefix + name));
const int64End = 1n << 63n;

interface Meaning {
  readonly type: 'str' | 'bool' | 'int' | 'float' | 'null' | 'timestamp';
  readonly value: GoScalar;
}

const meanings = new Map<string, Meaning>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map(word => [word, { type: 'bool', value: true }] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map(
    word => [word, { type: 'bool', value: false }] as const,
  ),
  ...['', '~', 'null', 'Null', 'NULL'].map(word => [word, { type: 'null', value: null }] as const),
  ...['.nan', '.NaN', '.NAN'].map(word => [word, { type: 'float', value: Number.NaN }] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map(word => [word, { type: 'float', value: Number.POSITIVE_INFINITY }] as const),
  ...['-.inf', '-.Inf', '-.INF'].map(word => [word, { type: 'float', value: Number.NEGATIVE_INFINITY }] as const),
]);

function meaningOf(text: string, tag: string): Meaning {
  const word = meanings.get(text);
  if (word !== undefined) return word;
  const first = text[0] ?? '';
  if (first === '.') return floatOf(text, startsWithPoint) ?? { type: 'str', value: text };
  if (!/[-+0-9]/.test(first)) return { type: 'str', value: text };
  if (tag === `${tagPrefix}timestamp` && isTimestamp(text)) return { type: 'timestamp', value: text };
  const plain = text.replaceAll('_', '');
  const integer = integerOf(plain);
  if (integer !== undefined) return { type: 'int', value: integer };
  return floatOf(plain, yamlFloat) ?? { type: 'str', value: text };
}

const yamlFloat = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
/** Go allows an underscore between two digits. */
const startsWithPoint = /^\.[0-9]+(_[0-9]+)*([eE][-+]?[0-9]+(_[0-9]+)*)?$/;

function floatOf(text: string, form: RegExp): Meaning | undefined {
  if (!form.test(text)) return undefined;
  const value = Number(text.replaceAll('_', ''));
  return Number.isFinite(value) ? { type: 'float', value } : undefined;
}

/** Parses an integer in one of Go's notations (0x1f, 0b11, 0o17, 017), in the range of int64 or, without a sign, uint64. */
function integerOf(text: string): bigint | undefined {
  const [, sign = '', notation = ''] = /^([-+]?)(.+)$/.exec(text) ?? [];
  const magnitude = magnitudeOf(notation);
  if (magnitude !== undefined) return inRange(sign, magnitude);
  // go-yaml parses the text after 0b again, and that may have a sign.
  const [, innerSign = '', digits] = /^0b([-+])([01]+)$/.exec(text) ?? [];
  return digits === undefined ? undefined : inRange(innerSign, BigInt(`0b${digits}`));
}

function magnitudeOf(notation: string): bigint | undefined {
  if (/^(0|[1-9][0-9]*)$/.test(notation)) return BigInt(notation);
  if (/^0([xX][0-9a-fA-F]+|[bB][01]+|[oO][0-7]+)$/.test(notation)) return BigInt(notation.toLowerCase());
  return /^0[0-7]+$/.test(notation) ? BigInt(`0o${notation.slice(1)}`) : undefined;
}

function inRange(sign: string, magnitude: bigint): bigint | undefined {
  if (sign === '-') return magnitude <= int64End ? -magnitude : undefined;
  return magnitude < (sign === '' ? 1n << 64n : int64End) ? magnitude : undefined;
}

/** Decodes base64; line breaks are allowed. */
function binaryText(node: YamlScalarNode): string {
  try {
    return decodeUtf8Bytes(decodeGoBase64(node.value));
  } catch (error) {
    if (!(error instanceof Base64Error)) throw error;
    throw new YamlError('yaml: !!binary value contains invalid base64 data', node);
  }
}
