import { Base64Error, decodeGoBase64, encodeBase64 } from '../../go/base64.js';
import { ownMember } from '../../go/own-members.js';
import type { Value, ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { LeafSchema, ListSchema, MapSchema, Schema, StructSchema } from '../../kubernetes/schema.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import type { Codec } from './codec.js';
import { isCustomCodec } from './custom-codec.js';
import { rememberExact } from './exact-quantities.js';
import { knownFields, rememberFields, withoutKnownFields } from './known-fields.js';
import { durationLeafText, microTimeLeafText, quantityLeafText, timeLeafText, zeroTimeText } from './leaf-text.js';
import { rawTextOf } from './raw-texts.js';
import { AbortedReading } from './typed-reading.js';
import { isZeroScalar, zeroValue } from './zero-value.js';

/**
 * Returns what `decode` of the codec returns for the text of an object that `writeValue` has written: without duplicate keys and white space. V8's parser reads most of
 * them, in a fraction of the time. Throws DecodeError.
 */
export function decodeStored(codec: Codec, text: string): ValueMap {
  return readPlain(codec, text) ?? codec.decode(text).value;
}

/** Escapes and characters that V8 would write otherwise, `null`, and keys whose order V8 changes. */
const readOtherwise = /\\u|[\ud800-\udfff]|[:[,]null|"\d+":/;

/** A value that is left to the other reader. */
export class OtherValue extends Error {}

/** What V8's parser returns. */
type Plain = string | number | boolean | null | readonly Plain[] | PlainObject;

interface PlainObject {
  readonly [name: string]: Plain;
}

/** Returns the value of a built-in object; undefined if V8's parser cannot read it. */
function readPlain(codec: Codec, text: string): ValueMap | undefined {
  const { server } = codec;
  const short = isCustomCodec(codec) ? undefined : withoutKnownFields(server, text);
  const isOther = short === undefined || readOtherwise.test(short.text);
  const schema = isOther ? undefined : schemaOfKind(server, codec.kind);
  if (schema === undefined || short === undefined) return undefined;
  try {
    const value = structOf(schema, objectIn(JSON.parse(short.text)));
    if (!short.isWhole) rememberFields(server, value);
    return value;
  } catch (error) {
    const isOther = [OtherValue, AbortedReading, Base64Error, SyntaxError, RangeError].some(type => error instanceof type);
    if (isOther) return undefined;
    throw error;
  }
}

function structOf({ fieldsByName, server }: StructSchema, members: PlainObject): ValueMap {
  const map: ValueMap = new Map();
  // A list of entries takes longer.
  for (const name of Object.keys(members)) {
    const field = fieldsByName.get(name);
    const value = field === undefined ? undefined : valueOfType(field, ownMember(members, name) as Plain, server);
    if (value !== undefined) map.set(name, value);
  }
  return map;
}

/** Returns the value; undefined for Go's zero value. */
function valueOfType(
  { schema, pointer }: { readonly schema: Schema; readonly pointer: boolean },
  plain: Plain,
  server: ApiServer,
): Value | undefined {
  switch (schema.type) {
    case 'struct':
      return structOf(schema, objectIn(plain));
    case 'map':
      return mapOf(schema, objectIn(plain), server);
    case 'list':
      return listOf(schema, plain, server);
    default: {
      const value = schema.leaf === 'fieldsv1' && typeof plain === 'number' ? fieldsOf(plain, server) : leafOf(schema, plain, server);
      if (pointer) return value;
      if (value === zeroTimeText && (schema.leaf === 'time' || schema.leaf === 'microtime')) return undefined;
      return isZeroScalar(value) && (value !== '' || schema.leaf === 'string') ? undefined : value;
    }
  }
}

/** Returns the set of fields of a number in a short text. */
function fieldsOf(index: number, server: ApiServer): Value {
  const fields = knownFields(server, index);
  if (fields === undefined) throw new OtherValue();
  return fields;
}

function mapOf({ values, pointer }: MapSchema, members: PlainObject, server: ApiServer): ValueMap {
  const map: ValueMap = new Map();
  const target = { schema: values, pointer };
  for (const key of Object.keys(members)) {
    const plain = ownMember(members, key) as Plain;
    map.set(key, valueOfType(target, plain, server) ?? zeroValue(values, pointer));
    if (typeof plain === 'string' && values.type === 'leaf' && values.leaf === 'quantity') rememberExact(map, key, plain);
  }
  return map;
}

function listOf({ items, pointer }: ListSchema, plain: Plain, server: ApiServer): Value[] {
  if (!Array.isArray(plain)) throw new OtherValue();
  const target = { schema: items, pointer };
  return plain.map((item: Plain) => valueOfType(target, item, server) ?? zeroValue(items, pointer));
}

/** Returns the value of a leaf. Throws OtherValue, AbortedReading or Base64Error for one that the other reader reads. */
export function leafOf({ leaf }: LeafSchema, plain: Plain, server: ApiServer): Value {
  switch (leaf) {
    case 'bool':
      if (typeof plain === 'boolean') return plain;
      break;
    case 'int32':
    case 'intorstring':
      if (typeof plain === 'number' && (plain | 0) === plain && !Object.is(plain, -0)) return BigInt(plain);
      if (typeof plain === 'string' && leaf === 'intorstring') return plain;
      break;
    case 'int64':
      if (Number.isSafeInteger(plain) && !Object.is(plain, -0)) return BigInt(plain as number);
      break;
    case 'float64':
      if (typeof plain === 'number' && Number.isFinite(plain)) return plain;
      break;
    case 'fieldsv1':
      return rawTextOf(JSON.stringify(plain));
    default:
      if (typeof plain === 'string') return leafText(leaf, plain, server);
  }
  throw new OtherValue();
}

function leafText(leaf: LeafSchema['leaf'], text: string, server: ApiServer): string {
  switch (leaf) {
    case 'string':
      return text;
    case 'bytes':
      return encodeBase64(decodeGoBase64(text));
    case 'quantity':
      if (plainQuantity.test(text)) return quantityLeafText(server, text);
      break;
    case 'time':
      return timeLeafText(text);
    case 'microtime':
      return microTimeLeafText(text);
    case 'duration':
      return durationLeafText(text);
  }
  throw new OtherValue();
}

const plainQuantity = /^[\w.+-]+$/;

function objectIn(plain: Plain): PlainObject {
  if (!isObject(plain)) throw new OtherValue();
  return plain;
}

function isObject(plain: Plain): plain is PlainObject {
  return typeof plain === 'object' && plain !== null && !Array.isArray(plain);
}
