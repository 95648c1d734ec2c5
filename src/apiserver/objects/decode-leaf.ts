import { unstructuredOf } from '../../encoding/unstructured.js';
import { Base64Error, decodeGoBase64, encodeBase64 } from '../../go/base64.js';
import { type JsonArray, type JsonNode, jsonKind } from '../../go/json/node.js';
import { compactRaw } from '../../go/json/write.js';
import { isList, isMap, type Value } from '../../go/value.js';
import { trimSpace } from '../../go/white-space.js';
import type { LeafSchema, Schema } from '../../kubernetes/schema.js';
import type { DecodeTarget, ReadContext, ReadValue } from './decode-target.js';
import { goTypeName } from './go-type-name.js';
import { durationLeafText, microTimeLeafText, quantityLeafText, timeLeafText, zeroTimeText } from './leaf-text.js';
import { rawTextOf } from './raw-texts.js';
import {
  AbortedReading,
  abortMessage,
  abortMismatch,
  abortWith,
  newReading,
  saveFailure,
  saveMismatch,
  type TypedReading,
} from './typed-reading.js';
import { isZeroScalar } from './zero-value.js';

/**
 * Returns the value of a node that is not null in a leaf's canonical form; undefined for the zero value of a leaf that is not a pointer.
 * `readValue` reads a struct or list in place of a leaf.
 */
export function readLeaf(target: DecodeTarget<LeafSchema>, node: JsonNode, context: ReadContext, readValue: ReadValue): Value | undefined {
  const value = leafValue(target, node, context, readValue);
  if (value === undefined || target.pointer) return value;
  if (value === zeroTimeText && (target.schema.leaf === 'time' || target.schema.leaf === 'microtime')) return undefined;
  return isZeroScalar(value) && (value !== '' || target.schema.leaf === 'string') ? undefined : value;
}

/** Handles `null` for a leaf that is not a pointer: some are set to zero, most keep their value. */
export function readNullLeaf({ leaf }: LeafSchema, previous: Value | undefined): Value | undefined {
  switch (leaf) {
    case 'bytes':
    case 'any':
    case 'time':
    case 'microtime':
    case 'orArray':
    case 'orStringArray':
      return undefined;
    case 'intorstring':
      return typeof previous === 'bigint' ? previous : undefined;
    case 'duration':
      return durationLeafText('');
    case 'orBool':
      return abortMessage(noBoolOrSchema);
    default:
      return previous;
  }
}

function leafValue(
  target: DecodeTarget<LeafSchema>,
  node: JsonNode,
  { reading, previous }: ReadContext,
  readValue: ReadValue,
): Value | undefined {
  const { leaf } = target.schema;
  switch (leaf) {
    case 'string':
      return node.type === 'string' ? node.value : mismatch(target, node, reading);
    case 'bool':
      return node.type === 'literal' && node.value !== null ? node.value : mismatch(target, node, reading);
    case 'int32':
    case 'int64':
      return readInteger(target, node, reading);
    case 'float64':
      return readFloat(target, node, reading);
    case 'bytes':
      return readBytes(target, node, { reading, previous });
    case 'quantity':
      return quantityLeafText(reading.server, quantitySource(node, reading));
    case 'intorstring':
      return readIntOrString(node, reading);
    case 'time':
      return timeLeafText(ownString(node, reading));
    case 'microtime':
      return microTimeLeafText(ownString(node, reading));
    case 'duration':
      return durationLeafText(ownString(node, reading));
    case 'any':
      return unstructuredOf(node);
    case 'rawextension':
    case 'fieldsv1':
      return rawTextOf(reading.text.slice(node.start, node.end));
    case 'json':
      return { rawJson: compactRaw(reading.text.slice(node.start, node.end)) };
    default:
      return readAlternative(target.schema, node, reading, readValue);
  }
}

function mismatch({ schema, goType }: DecodeTarget, node: JsonNode, reading: TypedReading): undefined {
  saveMismatch(reading, jsonKind(node), goTypeName(schema, goType));
  return undefined;
}

function readInteger(target: DecodeTarget<LeafSchema>, node: JsonNode, reading: TypedReading): bigint | undefined {
  if (node.type !== 'number') return mismatch(target, node, reading);
  const value = integerIn(node.text, target.schema.leaf === 'int32' ? 32 : 64);
  if (value === undefined) saveMismatch(reading, `number ${node.text}`, goTypeName(target.schema, target.goType));
  return value;
}

/** Parses digits as a signed integer of the given bits; undefined for fractions, exponents and out-of-range numbers. */
function integerIn(text: string, bits: 32 | 64): bigint | undefined {
  if (!/^-?\d+$/.test(text) || text.length > 25) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(bits, value) === value ? value : undefined;
}

function readFloat(target: DecodeTarget, node: JsonNode, reading: TypedReading): number | undefined {
  if (node.type !== 'number') return mismatch(target, node, reading);
  const value = Number(node.text);
  if (Number.isFinite(value)) return value;
  saveMismatch(reading, `number ${node.text}`, goTypeName(target.schema, target.goType));
  return undefined;
}

/** Reads base64, or a list of numbers, which Go accepts as bytes too. */
function readBytes(target: DecodeTarget, node: JsonNode, { reading, previous }: ReadContext): string | undefined {
  if (node.type === 'array') return readByteList(node, { reading, previous });
  if (node.type !== 'string') return mismatch(target, node, reading);
  try {
    return encodeBase64(decodeGoBase64(node.value));
  } catch (error) {
    if (!(error instanceof Base64Error)) throw error;
    saveFailure(reading, error.message);
    return undefined;
  }
}

function readByteList(node: JsonArray, { reading, previous }: ReadContext): string {
  const bytes = typeof previous === 'string' ? [...decodeGoBase64(previous)] : [];
  bytes.length = node.items.length;
  for (const [i, item] of node.items.entries()) {
    bytes[i] ??= 0;
    if (item.type === 'literal' && item.value === null) continue;
    if (item.type !== 'number') saveMismatch(reading, jsonKind(item), 'uint8');
    else if (!/^\d+$/.test(item.text) || Number(item.text) > 255) saveMismatch(reading, `number ${item.text}`, 'uint8');
    else bytes[i] = Number(item.text);
  }
  return encodeBase64(Uint8Array.from(bytes));
}

/**
 * Returns the text that Go parses as a quantity: any value, and of a string the text between the quotes, escapes included. Source:
 * resource.Quantity.UnmarshalJSON.
 */
export function quantitySource(node: JsonNode, { text }: TypedReading): string {
  return trimSpace(node.type === 'string' ? text.slice(node.start + 1, node.end - 1) : text.slice(node.start, node.end));
}

/** Source: intstr.IntOrString.UnmarshalJSON. */
function readIntOrString(node: JsonNode, reading: TypedReading): bigint | string {
  if (node.type === 'string') return node.value;
  if (node.type !== 'number') return abortMismatch(reading, jsonKind(node), 'int32');
  return integerIn(node.text, 32) ?? abortMismatch(reading, `number ${node.text}`, 'int32');
}

function ownString(node: JsonNode, reading: TypedReading): string {
  return node.type === 'string' ? node.value : abortMismatch(reading, jsonKind(node), 'string');
}

const noBoolOrSchema = 'boolean or JSON schema expected';

/**
 * Returns a JSON schema or one of its allowed alternatives; other values are dropped, or refused where a boolean is allowed. Source:
 * apiextensions v1/marshal.go.
 */
function readAlternative({ leaf, of }: LeafSchema, node: JsonNode, reading: TypedReading, readValue: ReadValue): Value | undefined {
  const readNested = (target: DecodeTarget): Value | undefined =>
    readWithin(reading, own => readValue(target, node, { reading: own, previous: undefined }));
  if (of !== undefined && node.type === 'object') return readNested({ schema: of, pointer: false }) ?? new Map();
  if (leaf === 'orBool') return node.type === 'literal' && node.value !== null ? node.value : abortMessage(noBoolOrSchema);
  if (of === undefined || node.type !== 'array') return null;
  const items: Schema = leaf === 'orArray' ? of : { type: 'leaf', leaf: 'string' };
  const list = readNested({ schema: { type: 'list', items, pointer: false }, pointer: false });
  return isList(list) && list.length > 0 ? list : null;
}

/** Returns a separate reading without strict errors; any failure in it aborts the outer one. */
function readWithin(around: TypedReading, read: (reading: TypedReading) => Value | undefined): Value | undefined {
  const reading = newReading(around.server, around.text);
  const value = readOrAbort(around, () => read(reading));
  if (reading.firstFailure !== undefined) return abortWith(around, reading.firstFailure);
  return isMap(value) || isList(value) ? value : undefined;
}

function readOrAbort(around: TypedReading, read: () => Value | undefined): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof AbortedReading) return abortWith(around, error.failure);
    throw error;
  }
}
