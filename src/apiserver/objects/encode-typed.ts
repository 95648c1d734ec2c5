import { compareKeys, goFloat, goString, writeValue } from '../../go/json/write.js';
import { isList, isMap, isRawJson, type Value, type ValueMap } from '../../go/value.js';
import { memoize } from '../../kubernetes/memoize.js';
import type { LeafSchema, Schema, StructSchema } from '../../kubernetes/schema.js';
import { zeroTimeText } from './leaf-text.js';
import { type WrittenField, writtenFields, writtenFieldValue } from './written-field.js';

/**
 * Returns the value of a Go struct as Go writes it: fields in declaration order, `omitempty` and `omitzero` applied, other fields present
 * even when they are zero. Source: encoding/json encode.go.
 */
export function encodeTyped(value: ValueMap, schema: StructSchema): string {
  return structText(value, schema);
}

/** Returns a value of any type as Go writes it. */
export function encodeAs(schema: Schema, value: Value): string {
  return writerFor(schema)(value);
}

function structText(value: ValueMap, schema: StructSchema): string {
  let out = '';
  for (const writer of writersOf(schema)) {
    const { field } = writer;
    const held = value.get(field.name);
    // Most fields of most structs are absent and omitted.
    if (held === undefined && field.whenAbsent === undefined) continue;
    const written = writtenFieldValue(field, held);
    if (written !== undefined) out += (out === '' ? writer.key : `,${writer.key}`) + writer.write(written);
  }
  return `{${out}}`;
}

const writersOf = memoize((schema: StructSchema): readonly FieldWriter[] => writtenFields(schema).map(field => new FieldWriter(field)));

/** Writer of one field. Its properties are computed lazily, because an object has few of the fields of its type. */
class FieldWriter {
  private keyText: string | undefined;
  private writer: Writer | undefined;

  constructor(readonly field: WrittenField) {}

  /** `"name":` */
  get key(): string {
    this.keyText ??= `${goString(this.field.name)}:`;
    return this.keyText;
  }

  get write(): Writer {
    this.writer ??= writerFor(this.field.schema);
    return this.writer;
  }
}

type Writer = (value: Value) => string;

function writerFor(schema: Schema): Writer {
  switch (schema.type) {
    case 'struct':
      return value => (isMap(value) ? structText(value, schema) : 'null');
    case 'list': {
      const write = writerFor(schema.items);
      return value => listText(value, write);
    }
    case 'map': {
      const write = writerFor(schema.values);
      return value => mapText(value, write);
    }
    default:
      return value => leafText(value, schema);
  }
}

function listText(value: Value, write: Writer): string {
  if (!isList(value)) return 'null';
  let out = '';
  for (const item of value) out += out === '' ? write(item) : `,${write(item)}`;
  return `[${out}]`;
}

function mapText(value: Value, write: Writer): string {
  if (!isMap(value)) return 'null';
  let out = '';
  for (const key of [...value.keys()].sort(compareKeys)) {
    const entry = `${goString(key)}:${write(value.get(key) ?? null)}`;
    out += out === '' ? entry : `,${entry}`;
  }
  return `{${out}}`;
}

function leafText(value: Value, { leaf, of }: LeafSchema): string {
  if (typeof value === 'string') return value === zeroTimeText && (leaf === 'time' || leaf === 'microtime') ? 'null' : goString(value);
  if (typeof value === 'number') return goFloat(value);
  if (isMap(value)) return of?.type === 'struct' ? structText(value, of) : writeValue(value, 'sorted');
  if (isList(value)) return isMap(value[0]) && of !== undefined ? listText(value, writerFor(of)) : writeValue(value, 'sorted');
  if (isRawJson(value)) return value.rawJson;
  return String(value);
}
