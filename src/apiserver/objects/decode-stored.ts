import { Base64Error, decodeGoBase64, encodeBase64 } from '../../go/base64.js';
import { ownMember } from '../../go/own-members.js';
import type { Value, ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { memoize } from '../../kubernetes/memoize.js';
import type { LeafSchema, ListSchema, MapSchema, Schema, StructSchema } from '../../kubernetes/schema.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import type { Codec } from './codec.js';
import { isCustomCodec } from './custom-codec.js';
import { rememberExact } from './exact-quantities.js';
import { durationLeafText, microTimeLeafText, quantityLeafText, timeLeafText, zeroTimeText } from './leaf-text.js';
import { type PartReader, writeMessageOf } from './protobuf/write-message.js';
import { rawTextOf } from './raw-texts.js';
import { AbortedReading } from './typed-reading.js';
import { isZeroScalar, zeroValue } from './zero-value.js';

/**
 * Returns what `decode` of the codec returns for the text of an object that `writeValue` has written: without duplicate keys and white space. V8's parser reads most of
 * them, in a fraction of the time. Throws DecodeError.
 */
export function decodeStored(codec: Codec, text: string): ValueMap {
  return readPlain(codec, text, structOf) ?? codec.decode(text).value;
}

/** Returns the protobuf message of an object whose text `encode` of the codec has written, without a tree of its values; undefined if that needs one. */
export function messageOfStored(codec: Codec, text: string): Uint8Array | undefined {
  return readPlain(codec, text, (schema, members) => writeMessageOf<Plain>(members, schema, plainReader(schema.server)));
}

/** What V8's parser returns, read by the fields of a message. */
const plainReader = memoize(
  (server: ApiServer): PartReader<Plain> => ({
    member: (value, name) => (isObject(value) ? ownMember(value, name) : undefined),
    items: value => (Array.isArray(value) ? value : undefined),
    entries: value => (isObject(value) ? Object.entries(value) : undefined),
    leaf: (schema, value) => leafOf(schema, value, server),
  }),
);

/** Escapes and characters that V8 would write otherwise, `null`, and keys whose order V8 changes. */
const readOtherwise = /\\u|[\ud800-\udfff]|[:[,]null|"\d+":/;

/** A value that is left to the other reader. */
class OtherValue extends Error {}

type Plain = string | number | boolean | null | readonly Plain[] | PlainObject;

interface PlainObject {
  readonly [name: string]: Plain;
}

/** Returns what `read` makes of the text of a built-in object; undefined if V8's parser or `read` cannot read it. */
function readPlain<T>(codec: Codec, text: string, read: (schema: StructSchema, members: PlainObject) => T): T | undefined {
  const isOther = isCustomCodec(codec) || readOtherwise.test(text);
  const schema = isOther ? undefined : schemaOfKind(codec.server, codec.kind);
  if (schema === undefined) return undefined;
  try {
    return read(schema, objectIn(JSON.parse(text)));
  } catch (error) {
    const isOther = [OtherValue, AbortedReading, Base64Error, SyntaxError, RangeError].some(type => error instanceof type);
    if (isOther) return undefined;
    throw error;
  }
}

function structOf({ fieldsByName, server }: StructSchema, members: PlainObject): ValueMap {
  const map: ValueMap = new Map();
  for (const [name, plain] of Object.entries(members)) {
    const field = fieldsByName.get(name);
    const value = field === undefined ? undefined : valueOfType(field, plain, server);
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
      const value = leafOf(schema, plain, server);
      if (pointer) return value;
      if (value === zeroTimeText && (schema.leaf === 'time' || schema.leaf === 'microtime')) return undefined;
      return isZeroScalar(value) && (value !== '' || schema.leaf === 'string') ? undefined : value;
    }
  }
}

function mapOf({ values, pointer }: MapSchema, members: PlainObject, server: ApiServer): ValueMap {
  const map: ValueMap = new Map();
  const target = { schema: values, pointer };
  for (const [key, plain] of Object.entries(members)) {
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

function leafOf({ leaf }: LeafSchema, plain: Plain, server: ApiServer): Value {
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
