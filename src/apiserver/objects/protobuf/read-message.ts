import { durationText } from '../../../go/duration.js';
import { isValidJson } from '../../../go/json/valid.js';
import type { Moment } from '../../../go/time.js';
import { isZeroTime, microTimeText, timeText } from '../../../go/time-text.js';
import { decodeUtf8Bytes } from '../../../go/utf8.js';
import { isList, isMap, type Value, type ValueMap } from '../../../go/value.js';
import type { LeafSchema, Schema, StructSchema } from '../../../kubernetes/schema.js';
import { AbortedConnection } from '../../../kubernetes/status.js';
import { type MessageField, messageFields } from './message-fields.js';
import { WireError, type WireField, wireFields } from './wire-reader.js';

const nanosecondsPerSecond = 1_000_000_000n;

/** Decodes a protobuf message as a value of a built-in type. Unknown fields are skipped. Throws WireError. Source: generated.pb.go. */
export function readTypedMessage(bytes: Uint8Array, schema: StructSchema): ValueMap {
  const value: ValueMap = new Map();
  readFields(bytes, messageFields(schema), { into: value, name: schema.goName.slice(schema.goName.lastIndexOf('.') + 1) });
  return value;
}

interface MessageTarget {
  readonly into: ValueMap;
  readonly name: string;
}

function readFields(bytes: Uint8Array, fields: readonly MessageField[], { into, name }: MessageTarget): void {
  for (const wire of wireFields(bytes, name)) {
    const row = fields.find(f => f.number === wire.number);
    if (row === undefined) continue;
    if ('embedded' in row) {
      readFields(wire.bytes, row.embedded, { into, name });
      continue;
    }
    const { field } = row;
    const value = fieldValue(field.schema, wire, { before: into.get(field.name), goName: field.goName });
    if (value === undefined || (isZero(value) && !field.pointer)) continue;
    into.set(field.name, value);
  }
}

function isZero(value: Value): boolean {
  return value === null || value === '' || value === 0n || value === 0 || value === false;
}

interface FieldPlace {
  readonly before: Value | undefined;
  readonly goName: string;
}

/** Merges an occurrence of a field into its previous value: lists and maps are extended in place, because a list can have a million items. */
function fieldValue(schema: Schema, wire: WireField, { before, goName }: FieldPlace): Value | undefined {
  if (schema.type === 'list') {
    const list = isList(before) ? before : [];
    list.push(singleValue(schema.items, wire, goName));
    return list;
  }
  if (schema.type !== 'map') return singleValue(schema, wire, goName);
  const map: ValueMap = isMap(before) ? before : new Map();
  let key = '';
  let value = zeroEntry(schema.values);
  for (const part of wireFields(wire.bytes)) {
    if (part.number === 1) key = decodeUtf8Bytes(part.bytes);
    else if (part.number === 2) value = entryValue(schema.values, part, goName);
  }
  map.set(key, value);
  return map;
}

/** Returns the value of an entry without a value: Go omits a nil `[]byte`, as in `Secret.data`. Source: mapvalue in generated.pb.go. */
function zeroEntry(schema: Schema): Value {
  if (schema.type === 'list') return [];
  if (schema.type !== 'leaf') return new Map();
  switch (schema.leaf) {
    case 'string':
    case 'bytes':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
      return 0n;
    case 'float64':
      return 0;
    default:
      return leafMessage(schema, new Uint8Array());
  }
}

function entryValue(schema: Schema, part: WireField, goName: string): Value {
  if (schema.type !== 'list') return singleValue(schema, part, goName);
  return [...wireFields(part.bytes)].filter(({ number }) => number === 1).map(item => singleValue(schema.items, item, goName));
}

function singleValue(schema: Schema, wire: WireField, goName: string): Value {
  const expected = wireTypeOf(schema);
  if (wire.wireType !== expected) throw new WireError(`proto: wrong wireType = ${wire.wireType} for field ${goName}`);
  if (schema.type === 'struct') return readTypedMessage(wire.bytes, schema);
  if (schema.type !== 'leaf') return null;
  switch (schema.leaf) {
    case 'bool':
      return wire.bits !== 0n;
    case 'int32':
      return BigInt.asIntN(32, wire.bits);
    case 'int64':
      return BigInt.asIntN(64, wire.bits);
    case 'float64':
      return Buffer.from(new BigUint64Array([wire.bits]).buffer).readDoubleLE(0);
    case 'string':
      return decodeUtf8Bytes(wire.bytes);
    case 'bytes':
      return Buffer.from(wire.bytes).toString('base64');
    default:
      return leafMessage(schema, wire.bytes);
  }
}

function wireTypeOf(schema: Schema): number {
  if (schema.type !== 'leaf') return 2;
  if (schema.leaf === 'bool' || schema.leaf === 'int32' || schema.leaf === 'int64') return 0;
  return schema.leaf === 'float64' ? 1 : 2;
}

/** Leaves that are encoded as messages. */
function leafMessage(schema: LeafSchema, bytes: Uint8Array): Value {
  const fields = [...wireFields(bytes)];
  const number = (n: number): bigint => numberIn(fields, n);
  const text = (n: number): string => decodeUtf8Bytes(fields.findLast(f => f.number === n)?.bytes ?? new Uint8Array());
  switch (schema.leaf) {
    case 'quantity':
      return text(1) || '0';
    case 'time':
      return momentText(fields, timeText);
    case 'microtime':
      return momentText(fields, microTimeText);
    case 'duration':
      return durationText(BigInt.asIntN(64, number(1)));
    case 'intorstring':
      return number(1) === 1n ? text(3) : BigInt.asIntN(32, number(2));
    case 'orBool':
    case 'orArray':
    case 'orStringArray':
      return alternative(schema, fields);
    case 'rawextension':
      return fields.some(f => f.number === 1) ? rawExtension(text(1)) : null;
    default:
      return text(1) === '' ? null : { rawJson: text(1) };
  }
}

/** The API server panics when it writes bytes that are not JSON, or begin with white space. Source: apimachinery runtime/extension.go MarshalJSON. */
function rawExtension(text: string): Value {
  if (/^\s/.test(text) || !isValidJson(text)) throw new AbortedConnection('a RawExtension is not JSON');
  return text === 'null' ? null : { rawJson: text };
}

function numberIn(fields: readonly WireField[], number: number): bigint {
  return fields.findLast(f => f.number === number)?.bits ?? 0n;
}

/** Formats seconds and nanoseconds of any size; null for none and for Go's zero time. Source: time.Unix in metav1.Time.Unmarshal. */
function momentText(fields: readonly WireField[], text: (moment: Moment) => string): string | null {
  const nanoseconds = BigInt.asIntN(32, numberIn(fields, 2));
  const rest = ((nanoseconds % nanosecondsPerSecond) + nanosecondsPerSecond) % nanosecondsPerSecond;
  const seconds = BigInt.asIntN(64, numberIn(fields, 1)) + (nanoseconds - rest) / nanosecondsPerSecond;
  const moment = { seconds: Number(seconds), nanoseconds: Number(rest), offsetSeconds: 0 };
  return fields.length === 0 || isZeroTime(moment) ? null : text(moment);
}

function alternative({ leaf, of }: LeafSchema, fields: readonly WireField[]): Value {
  const schemaAt = (number: number) => fields.filter(f => f.number === number);
  const read = (field: WireField): Value => (of === undefined ? null : singleValue(of, field, 'Schema'));
  if (leaf === 'orBool') {
    const [schema] = schemaAt(2);
    return schema === undefined ? (schemaAt(1)[0]?.bits ?? 0n) !== 0n : read(schema);
  }
  const [single] = schemaAt(1);
  if (single !== undefined) return read(single);
  return schemaAt(2).map(field => (leaf === 'orStringArray' ? decodeUtf8Bytes(field.bytes) : read(field)));
}
