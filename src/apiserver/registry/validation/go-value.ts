import { indented } from '../../../go/json/indent.js';
import { compareKeys, goString } from '../../../go/json/write.js';
import { isList, isMap, type Value, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import type { BadValue } from '../../../kubernetes/field-error.js';
import type { FieldSchema, Schema, StructSchema } from '../../../kubernetes/schema.js';
import { structNamed } from '../../../kubernetes/type-table.js';
import { encodeAs } from '../../objects/encode-typed.js';
import { internalFields, internalStruct } from './internal-fields.js';

/**
 * Returns a struct as an error shows it: JSON of the internal type, whose fields have no tags, so Go names are used and no field is
 * omitted. Types of meta/v1 are the same in the internal version and keep their tags. The type is that of the table, `core/v1.PodSpec`.
 */
export function internalValue(server: ApiServer, typeName: string, value: Value | undefined): BadValue {
  return { rawJson: textOf(structNamed(server, typeName), value) };
}

/** Returns the value of a struct's field in the same form. Strings and numbers are shown as they are. */
export function internalFieldValue(field: FieldSchema, value: Value | undefined): BadValue {
  if (typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean') return value;
  if (value === undefined && !field.pointer && field.schema.type === 'leaf' && field.schema.leaf === 'string') return '';
  return { rawJson: fieldText(field, value) };
}

/** Returns the same with line breaks and an indentation of one space, as in the diffs of refused updates. */
export function indentedInternal(server: ApiServer, typeName: string, value: Value | undefined): string {
  return indented(textOf(structNamed(server, typeName), value), ' ');
}

/** Returns the same for a list of structs; an empty one is nil. */
export function indentedInternalList(server: ApiServer, typeName: string, values: readonly Value[]): string {
  const schema = structNamed(server, typeName);
  return values.length === 0 ? 'null' : indented(`[${values.map(value => textOf(schema, value)).join(',')}]`, ' ');
}

function textOf(schema: Schema, value: Value | undefined): string {
  if (value === undefined || value === null) return schema.type === 'struct' ? structText(schema, new Map()) : zeroText(schema);
  if (schema.type === 'struct') return isMap(value) ? structText(schema, value) : 'null';
  if (schema.type === 'list') return isList(value) ? `[${value.map(item => textOf(schema.items, item)).join(',')}]` : 'null';
  if (schema.type === 'map') return isMap(value) ? mapText(schema.values, value) : 'null';
  return encodeAs(schema, value);
}

function structText(schema: StructSchema, value: ValueMap): string {
  if (schema.name.startsWith('meta/v1.')) return encodeAs(schema, value);
  const internal = internalStruct(schema, value);
  const all = internalFields(schema);
  // The kind of an object is empty in its internal form, and then omitted.
  const isObject = all.some(({ goName }) => goName === 'ObjectMeta');
  const fields = all.flatMap(field => {
    if (isObject && ['Kind', 'APIVersion'].includes(field.goName)) return [];
    const text = fieldText(field, internal.get(field.name));
    if (field.goName !== 'ObjectMeta') return [`${goString(field.goName)}:${text}`];
    // An embedded struct without a tag: its fields belong to the outer struct.
    return text === '{}' ? [] : [text.slice(1, -1)];
  });
  return `{${fields.join(',')}}`;
}

function fieldText({ schema, pointer }: FieldSchema, value: Value | undefined): string {
  return pointer && (value === undefined || value === null) ? 'null' : textOf(schema, value);
}

function mapText(values: Schema, value: ValueMap): string {
  const keys = [...value.keys()].sort(compareKeys);
  return `{${keys.map(key => `${goString(key)}:${textOf(values, value.get(key))}`).join(',')}}`;
}

function zeroText(schema: Schema): string {
  if (schema.type !== 'leaf') return 'null';
  const zeros: Readonly<Record<string, string>> = {
    string: '""',
    bool: 'false',
    int32: '0',
    int64: '0',
    float64: '0',
    intorstring: '0',
    quantity: '"0"',
    duration: '"0s"',
  };
  return zeros[schema.leaf] ?? 'null';
}
