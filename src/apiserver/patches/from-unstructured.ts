import { decodeGoBase64 } from '../../go/base64.js';
import { readJson } from '../../go/json/reader.js';
import { writeValue } from '../../go/json/write.js';
import { goTypeOf } from '../../go/print.js';
import { isWrittenTime } from '../../go/time-text.js';
import { isList, isMap, isRawJson, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { LeafSchema, ListSchema, MapSchema, StructSchema } from '../../kubernetes/schema.js';
import { readLeaf } from '../objects/decode-leaf.js';
import { readTypedValue } from '../objects/decode-typed.js';
import { goElementType, goTypeName } from '../objects/go-type-name.js';
import { AbortedReading, newReading } from '../objects/typed-reading.js';
import { type GoType, kindOfType } from './go-type.js';
import { PatchError } from './patch-error.js';

/** Untyped object converted to a Go type. */
export interface Restored {
  /** The object in the type's own values: leniently accepted values are converted, unknown fields removed. */
  readonly value: ValueMap;
  /** Sorted errors of strict field validation: `unknown field "spec.zz"`. */
  readonly unknownFields: readonly string[];
}

/**
 * Converts an untyped object to a Go type as the API server does after a strategic merge patch, which is more lenient with numbers than
 * decoding JSON (`1.0` is an int32, too large integers wrap) and has its own messages. Throws PatchError. Source: apimachinery
 * runtime/converter.go FromUnstructuredWithValidation.
 */
export function fromUnstructured(object: ValueMap, schema: StructSchema): Restored {
  const unknownFields: string[] = [];
  const value = restoreStruct(object, schema, { around: undefined, step: '', unknownFields });
  return { value, unknownFields: unknownFields.sort() };
}

/** Where a value is; its path is made when it is read: most objects have no unknown fields. */
interface DecodeContext {
  readonly around: DecodeContext | undefined;
  readonly step: string | number;
  readonly unknownFields: string[];
}

function pathOf({ around, step }: DecodeContext): string {
  if (around === undefined) return '';
  return typeof step === 'number' ? `${pathOf(around)}[${step}]` : memberPath(pathOf(around), step);
}

interface NamedType extends GoType {
  /** Go's type name where the schema does not define it. */
  readonly goType?: string | undefined;
}

function restore(server: ApiServer, value: Value, type: NamedType, place: DecodeContext): Value {
  if (value === null) return null;
  const { schema } = type;
  if (schema.type === 'struct') return restoreStruct(value, schema, place);
  if (schema.type === 'map') return restoreMap(server, value, { schema, goType: type.goType }, place);
  if (schema.type === 'list') return restoreList(server, value, { schema, goType: type.goType }, place);
  return restoreLeaf(server, value, schema, type.goType);
}

function restoreStruct(value: Value, schema: StructSchema, place: DecodeContext): ValueMap {
  if (!isMap(value)) throw new PatchError(`cannot restore struct from: ${kindOfValue(value)}`);
  const restored: ValueMap = new Map();
  for (const field of schema.fields) {
    const member = value.get(field.name);
    if (member === undefined) continue;
    const at = { around: place, step: field.name, unknownFields: place.unknownFields };
    restored.set(field.name, restore(schema.server, member, field, at));
  }
  for (const key of value.keys())
    if (!schema.fieldsByName.has(key)) place.unknownFields.push(`unknown field "${memberPath(pathOf(place), key)}"`);
  return restored;
}

function restoreMap(
  server: ApiServer,
  value: Value,
  { schema, goType }: { schema: MapSchema; goType: string | undefined },
  place: DecodeContext,
): ValueMap {
  if (!isMap(value)) throw new PatchError(`cannot restore map from ${kindOfValue(value)}`);
  const type: NamedType = { schema: schema.values, pointer: schema.pointer, goType: goElementType(goType) };
  // Map keys are not part of the path.
  return new Map([...value].map(([key, member]) => [key, restore(server, member, type, place)]));
}

function restoreList(
  server: ApiServer,
  value: Value,
  { schema, goType }: { schema: ListSchema; goType: string | undefined },
  place: DecodeContext,
): Value[] {
  if (!isList(value)) throw new PatchError(`cannot restore slice from ${kindOfValue(value)}`);
  const type: NamedType = { schema: schema.items, pointer: schema.pointer, goType: goElementType(goType) };
  return value.map((item, i) => restore(server, item, type, { around: place, step: i, unknownFields: place.unknownFields }));
}

function restoreLeaf(server: ApiServer, value: Value, schema: LeafSchema, goType: string | undefined): Value {
  switch (schema.leaf) {
    case 'string':
    case 'bool':
    case 'int32':
    case 'int64':
    case 'float64':
      return restoreScalar(value, schema, goType);
    case 'bytes':
      return restoreBytes(value);
    case 'any':
      return value;
    default:
      return restoreByItself(server, value, schema);
  }
}

/** Source: converter.go fromUnstructured, the simple types. */
function restoreScalar(value: Value, schema: LeafSchema, goType: string | undefined): Value {
  const { leaf } = schema;
  const wantsInteger = leaf === 'int32' || leaf === 'int64';
  const isNumber = typeof value === 'bigint' || typeof value === 'number';
  if (typeof value === 'string' && leaf === 'string') return value;
  if (typeof value === 'boolean' && leaf === 'bool') return value;
  if (leaf === 'float64' && isNumber) return Number(value);
  if (wantsInteger && typeof value === 'bigint') return BigInt.asIntN(leaf === 'int32' ? 32 : 64, value);
  if (wantsInteger && typeof value === 'number' && Number.isInteger(value))
    return BigInt.asIntN(leaf === 'int32' ? 32 : 64, toInt64(value));
  const convertible = (wantsInteger && typeof value === 'number') || (leaf === 'string' && typeof value === 'bigint');
  if (convertible) throw new PatchError(`cannot convert ${goTypeOf(value)} to ${goTypeName(schema, goType)}`);
  throw new PatchError(`unrecognized type: ${kindOfType({ schema, pointer: false })}`);
}

/** Converts a float64 to an int64 as the processor does: the smallest one when out of range. */
function toInt64(value: number): bigint {
  const integer = BigInt(value);
  return BigInt.asIntN(64, integer) === integer ? integer : -(2n ** 63n);
}

function restoreBytes(value: Value): Value {
  if (isList(value)) {
    const byte: LeafSchema = { type: 'leaf', leaf: 'int64' };
    return Buffer.from(value.map(item => Number(BigInt.asUintN(8, byteOf(item, byte))))).toString('base64');
  }
  if (typeof value !== 'string') throw new PatchError(`cannot restore slice from ${kindOfValue(value)}`);
  try {
    decodeGoBase64(value);
    return value;
  } catch (error) {
    throw new PatchError(`error decoding from json: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function byteOf(item: Value, schema: LeafSchema): bigint {
  if (item === null) return 0n;
  if (typeof item !== 'bigint' && typeof item !== 'number') throw new PatchError('unrecognized type: uint8');
  const value = restoreScalar(item, schema, 'uint8');
  return typeof value === 'bigint' ? value : 0n;
}

/** Restores types with their own JSON decoder: quantities, times and the like. */
function restoreByItself(server: ApiServer, value: Value, schema: LeafSchema): Value {
  if (schema.leaf === 'time' && typeof value === 'string' && isWrittenTime(value)) return value;
  const text = writeValue(value, 'sorted');
  try {
    const read = readLeaf(
      { schema, pointer: true },
      readJson(text),
      { reading: newReading(server, text), previous: undefined },
      readTypedValue,
    );
    // Raw JSON keeps the text written here.
    if (isRawJson(read)) return read;
    return read === undefined ? null : value;
  } catch (error) {
    if (error instanceof AbortedReading) throw new PatchError(error.message);
    throw error;
  }
}

function memberPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** Returns Go's name for the kind of an untyped value. */
function kindOfValue(value: Value): string {
  if (isMap(value)) return 'map';
  return isList(value) ? 'slice' : goTypeOf(value);
}
