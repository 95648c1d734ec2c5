import { parseDuration } from '../../../go/duration.js';
import { writeValue } from '../../../go/json/write.js';
import { isList, isMap, isRawJson, type Value, type ValueMap } from '../../../go/value.js';
import { memoizeStrings } from '../../../kubernetes/memoize.js';
import type { FieldSchema, LeafSchema, Schema, StructSchema } from '../../../kubernetes/schema.js';
import { type MessageField, messageFields } from './message-fields.js';
import { WireWriter } from './wire-writer.js';

/**
 * Encodes a built-in value as a protobuf message: fields by number, including zero values of fields that are not pointers. Source: the
 * generated Marshal functions of generated.pb.go.
 */
export function writeMessage(value: ValueMap, schema: StructSchema): Uint8Array {
  const writer = new WireWriter();
  writeFields(writer, value, messageFields(schema));
  return writer.finish();
}

/** Returns what is written of a field without a value; nothing for most pointers. */
export function fieldWithoutValue(row: MessageField): Uint8Array {
  const writer = new WireWriter(16);
  writeFields(writer, null, [row]);
  return writer.finish();
}

function writeFields(writer: WireWriter, value: Value, fields: readonly MessageField[]): void {
  for (const row of fields) {
    if ('embedded' in row) {
      writer.message(row.number, () => writeFields(writer, value, row.embedded));
      continue;
    }
    const { field, number } = row;
    const member = isMap(value) ? (value.get(field.name) ?? null) : null;
    if (member === null && (field.pointer || !isWrittenWhenZero(field.schema))) continue;
    if (isNamedList(field)) writeList(writer, number, field.schema, member);
    else writeField(writer, number, field.schema, member);
  }
}

/** Named list types are messages. */
export function isNamedList({ goName, declaredBy }: FieldSchema): boolean {
  return goName === 'Verbs' && declaredBy === 'APIResource';
}

/** Absent lists, maps and bytes are omitted. */
function isWrittenWhenZero(schema: Schema): boolean {
  if (schema.type === 'leaf') return schema.leaf !== 'bytes';
  return schema.type === 'struct';
}

function writeField(writer: WireWriter, number: number, schema: Schema, value: Value): void {
  if (schema.type === 'list') {
    for (const item of isList(value) ? value : []) writeField(writer, number, schema.items, item);
    return;
  }
  if (schema.type === 'map') {
    writeEntries(writer, number, schema.values, isMap(value) ? [...value] : []);
    return;
  }
  writeSingle(writer, number, schema, value);
}

function writeEntries(writer: WireWriter, number: number, values: Schema, entries: readonly (readonly [string, Value])[]): void {
  const sorted = entries.length < 2 ? entries : entries.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  for (const [key, item] of sorted) {
    writer.message(number, () => {
      writer.text(1, key);
      // A list in a map is a message with the items in field 1.
      if (values.type === 'list') writeList(writer, 2, values, item);
      else writeSingle(writer, 2, values, item);
    });
  }
}

function writeList(writer: WireWriter, number: number, schema: Schema, value: Value): void {
  writer.message(number, () => writeField(writer, 1, schema, value));
}

function writeSingle(writer: WireWriter, number: number, schema: Schema, value: Value): void {
  if (schema.type === 'struct') writer.message(number, () => writeFields(writer, value, messageFields(schema)));
  else if (schema.type === 'leaf') writeLeaf(writer, number, schema, value);
}

/** Writes a field with a leaf. */
export function writeLeaf(writer: WireWriter, number: number, schema: LeafSchema, value: Value): void {
  switch (schema.leaf) {
    case 'string':
      writer.text(number, typeof value === 'string' ? value : '');
      return;
    case 'bool':
    case 'int32':
    case 'int64':
      writer.tag(number, 0);
      writer.varint(value === true ? 1 : typeof value === 'bigint' ? value : 0);
      return;
    case 'float64':
      writer.tag(number, 1);
      writer.float64(Number(value ?? 0));
      return;
    case 'bytes':
      writer.tag(number, 2);
      writer.bytes(Buffer.from(typeof value === 'string' ? value : '', 'base64'));
      return;
    default:
      writer.message(number, () => fillLeaf(writer, schema, value));
  }
}

/** Writes the fields of a leaf that is a message. */
function fillLeaf(writer: WireWriter, schema: LeafSchema, value: Value): void {
  switch (schema.leaf) {
    case 'quantity':
      writer.text(1, typeof value === 'string' ? value : '0');
      return;
    case 'time':
    case 'microtime':
      fillTime(writer, typeof value === 'string' ? value : '');
      return;
    case 'duration':
      writer.tag(1, 0);
      writer.varint(typeof value === 'string' ? parseDuration(value) : 0);
      return;
    case 'intorstring':
      fillIntOrString(writer, value);
      return;
    case 'orBool':
    case 'orArray':
    case 'orStringArray':
      fillAlternative(writer, schema, value);
      return;
    default:
      if (value !== null) writer.text(1, isRawJson(value) ? (value.sent ?? value.rawJson) : writeValue(value, 'sorted'));
  }
}

/** Seconds and nanoseconds; the zero time is an empty message. */
function fillTime(writer: WireWriter, text: string): void {
  if (!text.endsWith('Z') || text.startsWith('0001-01-01T00:00:00')) return;
  const point = text.indexOf('.');
  writer.tag(1, 0);
  writer.varint(secondsOf(point < 0 ? text : `${text.slice(0, point)}Z`));
  writer.tag(2, 0);
  writer.varint(
    point < 0
      ? 0
      : Number(
          text
            .slice(point + 1, -1)
            .padEnd(9, '0')
            .slice(0, 9),
        ),
  );
}

/** Objects that were written together have the same times. */
const secondsOf = memoizeStrings(1000, text => BigInt(Math.floor(Date.parse(text) / 1000)));

function fillIntOrString(writer: WireWriter, value: Value): void {
  writer.tag(1, 0);
  writer.varint(typeof value === 'string' ? 1 : 0);
  writer.tag(2, 0);
  writer.varint(typeof value === 'bigint' ? value : 0);
  writer.text(3, typeof value === 'string' ? value : '');
}

/** A schema, or a boolean or a list in its place. */
function fillAlternative(writer: WireWriter, { leaf, of }: LeafSchema, value: Value): void {
  if (leaf === 'orBool') {
    writer.tag(1, 0);
    writer.varint(value === false ? 0 : 1);
    if (isMap(value) && of !== undefined) writeSingle(writer, 2, of, value);
    return;
  }
  if (isMap(value) && of !== undefined) writeSingle(writer, 1, of, value);
  if (!isList(value)) return;
  for (const item of value) {
    if (leaf === 'orStringArray') writer.text(2, String(item));
    else if (of !== undefined) writeSingle(writer, 2, of, item);
  }
}
