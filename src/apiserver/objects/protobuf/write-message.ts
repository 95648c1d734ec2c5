import { parseDuration } from '../../../go/duration.js';
import { writeValue } from '../../../go/json/write.js';
import { isList, isMap, isRawJson, type Value, type ValueMap } from '../../../go/value.js';
import type { LeafSchema, Schema, StructSchema } from '../../../kubernetes/schema.js';
import { type MessageField, messageFields } from './message-fields.js';
import { newWireWriter, type WireWriter } from './wire-writer.js';

/**
 * Encodes a built-in value as a protobuf message: fields by number, including zero values of fields that are not pointers. Source: the
 * generated Marshal functions of generated.pb.go.
 */
export function writeMessage(value: ValueMap, schema: StructSchema): Uint8Array {
  const writer = newWireWriter();
  writeFields(value, messageFields(schema), writer);
  return writer.finish();
}

function writeFields(value: ValueMap, fields: readonly MessageField[], writer: WireWriter): void {
  for (const row of fields) {
    if ('embedded' in row) {
      const inner = newWireWriter();
      writeFields(value, row.embedded, inner);
      writer.tag(row.number, 2);
      writer.bytes(inner.finish());
      continue;
    }
    const { field, number } = row;
    const member = value.get(field.name);
    const isAbsent = member === undefined || member === null;
    if (isAbsent && (field.pointer || !isWrittenWhenZero(field.schema))) continue;
    // Named list types are messages.
    if (field.goName === 'Verbs' && field.declaredBy === 'APIResource')
      writeList(writer, number, { schema: field.schema, value: member ?? null });
    else writeField(writer, number, { schema: field.schema, value: member ?? null });
  }
}

/** Absent lists, maps and bytes are omitted. */
function isWrittenWhenZero(schema: Schema): boolean {
  if (schema.type === 'leaf') return schema.leaf !== 'bytes';
  return schema.type === 'struct';
}

interface TypedValue {
  readonly schema: Schema;
  readonly value: Value;
}

function writeField(writer: WireWriter, number: number, { schema, value }: TypedValue): void {
  if (schema.type === 'list') {
    for (const item of isList(value) ? value : []) writeField(writer, number, { schema: schema.items, value: item });
    return;
  }
  if (schema.type === 'map') {
    for (const [key, item] of [...(isMap(value) ? value : [])].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) {
      const entry = newWireWriter();
      entry.tag(1, 2);
      entry.bytes(Buffer.from(key));
      writeEntryValue(entry, { schema: schema.values, value: item });
      writer.tag(number, 2);
      writer.bytes(entry.finish());
    }
    return;
  }
  writeSingle(writer, number, { schema, value });
}

/** A list in a map is a separate message with the items in field 1. */
function writeEntryValue(entry: WireWriter, { schema, value }: TypedValue): void {
  if (schema.type === 'list') writeList(entry, 2, { schema, value });
  else writeSingle(entry, 2, { schema, value });
}

function writeList(writer: WireWriter, number: number, { schema, value }: TypedValue): void {
  const list = newWireWriter();
  writeField(list, 1, { schema, value });
  writer.tag(number, 2);
  writer.bytes(list.finish());
}

function writeSingle(writer: WireWriter, number: number, { schema, value }: TypedValue): void {
  if (schema.type === 'struct') {
    writer.tag(number, 2);
    writer.bytes(writeMessage(isMap(value) ? value : new Map(), schema));
    return;
  }
  if (schema.type !== 'leaf') return;
  switch (schema.leaf) {
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
    default:
      writer.tag(number, 2);
      writer.bytes(leafBytes(schema, value));
  }
}

function leafBytes(schema: LeafSchema, value: Value): Uint8Array {
  switch (schema.leaf) {
    case 'string':
      return Buffer.from(typeof value === 'string' ? value : '');
    case 'bytes':
      return Buffer.from(typeof value === 'string' ? value : '', 'base64');
    case 'quantity':
      return message(w => textField(w, 1, typeof value === 'string' ? value : '0'));
    case 'time':
    case 'microtime':
      return timeBytes(typeof value === 'string' ? value : '');
    case 'duration':
      return message(w => {
        w.tag(1, 0);
        w.varint(typeof value === 'string' ? parseDuration(value) : 0);
      });
    case 'intorstring':
      return intOrStringBytes(value);
    case 'orBool':
    case 'orArray':
    case 'orStringArray':
      return alternativeBytes(schema, value);
    default:
      return rawBytes(value);
  }
}

function rawBytes(value: Value): Uint8Array {
  if (value === null) return new Uint8Array();
  const text = isRawJson(value) ? (value.sent ?? value.rawJson) : writeValue(value, 'sorted');
  return message(w => textField(w, 1, text));
}

function message(fill: (writer: WireWriter) => void): Uint8Array {
  const writer = newWireWriter();
  fill(writer);
  return writer.finish();
}

function textField(writer: WireWriter, number: number, text: string): void {
  writer.tag(number, 2);
  writer.bytes(Buffer.from(text));
}

/** Seconds and nanoseconds; the zero time is an empty message. */
function timeBytes(text: string): Uint8Array {
  const match = /^(.*?)(?:\.(\d+))?Z$/.exec(text);
  if (match === null || text.startsWith('0001-01-01T00:00:00')) return new Uint8Array();
  return message(w => {
    w.tag(1, 0);
    w.varint(BigInt(Math.floor(Date.parse(`${match[1]}Z`) / 1000)));
    w.tag(2, 0);
    w.varint(BigInt((match[2] ?? '').padEnd(9, '0').slice(0, 9)));
  });
}

function intOrStringBytes(value: Value): Uint8Array {
  return message(w => {
    w.tag(1, 0);
    w.varint(typeof value === 'string' ? 1 : 0);
    w.tag(2, 0);
    w.varint(typeof value === 'bigint' ? value : 0);
    textField(w, 3, typeof value === 'string' ? value : '');
  });
}

/** A schema, or a boolean or a list in its place. */
function alternativeBytes({ leaf, of }: LeafSchema, value: Value): Uint8Array {
  return message(w => {
    if (leaf === 'orBool') {
      w.tag(1, 0);
      w.varint(value === false ? 0 : 1);
      if (isMap(value) && of !== undefined) writeSingle(w, 2, { schema: of, value });
      return;
    }
    if (isMap(value) && of !== undefined) writeSingle(w, 1, { schema: of, value });
    if (!isList(value)) return;
    for (const item of value) {
      if (leaf === 'orStringArray') textField(w, 2, String(item));
      else if (of !== undefined) writeSingle(w, 2, { schema: of, value: item });
    }
  });
}
