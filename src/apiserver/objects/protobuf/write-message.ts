import { parseDuration } from '../../../go/duration.js';
import { writeValue } from '../../../go/json/write.js';
import { isList, isMap, isRawJson, type Value, type ValueMap } from '../../../go/value.js';
import { memoizeStrings } from '../../../kubernetes/memoize.js';
import type { LeafSchema, Schema, StructSchema } from '../../../kubernetes/schema.js';
import { type MessageField, messageFields } from './message-fields.js';
import { WireWriter } from './wire-writer.js';

/** Reads the parts of values of any form. */
export interface PartReader<T> {
  /** Returns a member of an object; undefined if it is absent, or the value is no object. */
  readonly member: (value: T, name: string) => T | undefined;
  readonly items: (value: T) => readonly T[] | undefined;
  readonly entries: (value: T) => readonly (readonly [string, T])[] | undefined;
  /** Returns the value of a leaf. */
  readonly leaf: (schema: LeafSchema, value: T) => Value;
}

const valueReader: PartReader<Value> = {
  member: (value, name) => (isMap(value) ? value.get(name) : undefined),
  items: value => (isList(value) ? value : undefined),
  entries: value => (isMap(value) ? [...value] : undefined),
  leaf: (_, value) => value,
};

/**
 * Encodes a built-in value as a protobuf message: fields by number, including zero values of fields that are not pointers. Source: the
 * generated Marshal functions of generated.pb.go.
 */
export function writeMessage(value: ValueMap, schema: StructSchema): Uint8Array {
  return writeMessageOf<Value>(value, schema, valueReader);
}

/** Encodes a value of any form. */
export function writeMessageOf<T>(value: T, schema: StructSchema, reader: PartReader<T>): Uint8Array {
  const to = { writer: new WireWriter(), reader };
  writeFields(to, value, messageFields(schema));
  return to.writer.finish();
}

/** Where values of a form are written. */
interface To<T> {
  readonly writer: WireWriter;
  readonly reader: PartReader<T>;
}

function writeFields<T>(to: To<T>, value: T | null, fields: readonly MessageField[]): void {
  for (const row of fields) {
    if ('embedded' in row) {
      to.writer.message(row.number, () => writeFields(to, value, row.embedded));
      continue;
    }
    const { field, number } = row;
    const member = value === null ? null : (to.reader.member(value, field.name) ?? null);
    if (member === null && (field.pointer || !isWrittenWhenZero(field.schema))) continue;
    // Named list types are messages.
    if (field.goName === 'Verbs' && field.declaredBy === 'APIResource') writeList(to, number, field.schema, member);
    else writeField(to, number, field.schema, member);
  }
}

/** Absent lists, maps and bytes are omitted. */
function isWrittenWhenZero(schema: Schema): boolean {
  if (schema.type === 'leaf') return schema.leaf !== 'bytes';
  return schema.type === 'struct';
}

function writeField<T>(to: To<T>, number: number, schema: Schema, value: T | null): void {
  if (schema.type === 'list') {
    for (const item of (value === null ? undefined : to.reader.items(value)) ?? []) writeField(to, number, schema.items, item);
    return;
  }
  if (schema.type === 'map') {
    writeEntries(to, number, schema.values, (value === null ? undefined : to.reader.entries(value)) ?? []);
    return;
  }
  writeSingle(to, number, schema, value);
}

function writeEntries<T>(to: To<T>, number: number, values: Schema, entries: readonly (readonly [string, T])[]): void {
  const sorted = entries.length < 2 ? entries : entries.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  for (const [key, item] of sorted) {
    to.writer.message(number, () => {
      to.writer.text(1, key);
      // A list in a map is a message with the items in field 1.
      if (values.type === 'list') writeList(to, 2, values, item);
      else writeSingle(to, 2, values, item);
    });
  }
}

function writeList<T>(to: To<T>, number: number, schema: Schema, value: T | null): void {
  to.writer.message(number, () => writeField(to, 1, schema, value));
}

function writeSingle<T>(to: To<T>, number: number, schema: Schema, value: T | null): void {
  if (schema.type === 'struct') to.writer.message(number, () => writeFields(to, value, messageFields(schema)));
  else if (schema.type === 'leaf') writeLeaf(to.writer, number, schema, value === null ? null : to.reader.leaf(schema, value));
}

function writeLeaf(writer: WireWriter, number: number, schema: LeafSchema, value: Value): void {
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
    if (isMap(value) && of !== undefined) writeSingle({ writer, reader: valueReader }, 2, of, value);
    return;
  }
  if (isMap(value) && of !== undefined) writeSingle({ writer, reader: valueReader }, 1, of, value);
  if (!isList(value)) return;
  for (const item of value) {
    if (leaf === 'orStringArray') writer.text(2, String(item));
    else if (of !== undefined) writeSingle({ writer, reader: valueReader }, 2, of, item);
  }
}
