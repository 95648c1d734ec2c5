import { compareKeys, goFloat, goString, writeValue } from '../../encoding/go-json.js';
import { remembered } from '../../kubernetes/remembered.js';
import type { FieldSchema, LeafSchema, Schema, StructSchema } from '../../kubernetes/schema.js';
import { isList, isMap, isRawJson, type Value, type ValueMap } from '../../kubernetes/value.js';
import { zeroTimeText } from './leaf-text.js';
import { isZeroScalar } from './zero-value.js';

/**
 * The value of a Go struct as Go writes it: fields in the order of their declaration, what `omitempty` and `omitzero` say left out,
 * everything else there even when it is zero. Source: encoding/json encode.go.
 */
export function encodeTyped(value: ValueMap, schema: StructSchema): string {
  return structText(value, schema);
}

/** The same for a value of any type. */
export function encodeAs(schema: Schema, value: Value): string {
  return writerFor(schema)(value);
}

function structText(value: ValueMap, schema: StructSchema): string {
  let out = '';
  for (const field of writersOf(schema)) {
    const text = field.text(value.get(field.name));
    if (text !== undefined) out += out === '' ? field.key + text : `,${field.key}${text}`;
  }
  return `{${out}}`;
}

interface FieldWriter {
  readonly name: string;
  /** `"name":` */
  readonly key: string;
  /** The value's text; undefined when the field is left out. */
  readonly text: (value: Value | undefined) => string | undefined;
}

/** Made once for each struct; the texts of zero values are made when first needed, since structs may hold themselves. */
const writersOf = remembered((schema: StructSchema): readonly FieldWriter[] => schema.fields.map(writerOf));

function writerOf(field: FieldSchema): FieldWriter {
  const { name, schema, pointer, omitEmpty } = field;
  const holdsNull = isAlternative(schema);
  let whenAbsent: string | undefined;
  const absent = leavesOutZero(field) ? () => undefined : () => (whenAbsent ??= zeroText(schema, pointer));
  const write = writerFor(schema);
  const text = (value: Value | undefined) => {
    if (value === undefined || (value === null && !holdsNull)) return absent();
    return omitEmpty && !pointer && isEmpty(value, schema) ? undefined : write(value);
  };
  return { name, key: `${goString(name)}:`, text };
}

/** Does an absent value leave no trace? Structs do, whatever their tag says. */
function leavesOutZero({ omitEmpty, omitZero, pointer, schema }: FieldSchema): boolean {
  return omitZero || (omitEmpty && (pointer || !isGoStruct(schema)));
}

/** Is the Go type a struct (a time, a quantity), which `omitempty` never takes for empty? */
function isGoStruct(schema: Schema): boolean {
  if (schema.type !== 'leaf') return schema.type === 'struct';
  return !scalars.has(schema.leaf);
}

const scalars = new Set(['string', 'bool', 'int32', 'int64', 'float64', 'bytes', 'any']);

function isEmpty(value: Value, schema: Schema): boolean {
  if (schema.type === 'list') return isList(value) && value.length === 0;
  if (schema.type === 'map') return isMap(value) && value.size === 0;
  return schema.type === 'leaf' && scalars.has(schema.leaf) && isZeroScalar(value);
}

function isAlternative(schema: Schema): boolean {
  return schema.type === 'leaf' && (schema.leaf === 'orArray' || schema.leaf === 'orStringArray');
}

function zeroText(schema: Schema, pointer: boolean): string {
  if (pointer) return 'null';
  if (schema.type === 'struct') return structText(new Map(), schema);
  return schema.type === 'leaf' ? (zeroLeafTexts.get(schema.leaf) ?? 'null') : 'null';
}

const zeroLeafTexts: ReadonlyMap<string, string> = new Map([
  ['string', '""'],
  ['bool', 'false'],
  ['int32', '0'],
  ['int64', '0'],
  ['float64', '0'],
  ['intorstring', '0'],
  ['quantity', '"0"'],
  ['duration', '"0s"'],
]);

type Writer = (value: Value) => string;

function writerFor(schema: Schema): Writer {
  switch (schema.type) {
    case 'struct':
      return value => (isMap(value) ? structText(value, schema) : 'null');
    case 'list':
      return value => listText(value, schema.items);
    case 'map':
      return value => mapText(value, schema.values);
    default:
      return value => leafText(value, schema);
  }
}

function listText(value: Value, items: Schema): string {
  if (!isList(value)) return 'null';
  const write = writerFor(items);
  let out = '';
  for (const item of value) out += out === '' ? write(item) : `,${write(item)}`;
  return `[${out}]`;
}

function mapText(value: Value, values: Schema): string {
  if (!isMap(value)) return 'null';
  const write = writerFor(values);
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
  if (isList(value)) return isMap(value[0]) && of !== undefined ? listText(value, of) : writeValue(value, 'sorted');
  if (isRawJson(value)) return value.rawJson;
  return String(value);
}
