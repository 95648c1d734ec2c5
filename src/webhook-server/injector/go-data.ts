import { encodeTyped } from '../../apiserver/objects/encode-typed.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { writeValue } from '../../go/json/write.js';
import { ownMember } from '../../go/own-members.js';
import { isList, isMap, isRawJson, type Value, type ValueMap } from '../../go/value.js';
import {
  type GoStruct,
  goList,
  goMap,
  inner,
  isGoList,
  isGoMap,
  isGoStruct,
  type TemplateValue,
  withoutType,
} from '../../go-template/values.js';
import type { FieldSchema, Schema, StructSchema } from '../../kubernetes/schema.js';

/** Returns a value without a Go type for a template: every number is a float64. */
export function goValueOf(value: Value | undefined): TemplateValue {
  if (value === undefined) return undefined;
  if (isMap(value)) return goMap(new Map([...value].map(([key, member]) => [key, goValueOf(member)])));
  if (isList(value)) return goList(value.map(goValueOf));
  if (isRawJson(value)) return goValueOf(readUnstructured(value.rawJson));
  return typeof value === 'bigint' ? Number(value) : value;
}

/** Returns a value of a Go type for a template. */
function typedGoValue(schema: Schema, value: Value | undefined, pointer = false): TemplateValue {
  switch (schema.type) {
    case 'struct':
      return value === undefined && pointer ? null : structValue(schema, isMap(value) ? value : new Map());
    case 'list':
      return goList(isList(value) ? value.map(item => typedGoValue(schema.items, item)) : [], typeName(schema.items, schema.pointer));
    case 'map':
      return goMap(
        new Map(isMap(value) ? [...value].map(([key, member]) => [key, typedGoValue(schema.values, member)]) : []),
        typeName(schema.values, schema.pointer),
      );
    default:
      return leafValue(schema.leaf, value, pointer);
  }
}

function leafValue(leaf: string, value: Value | undefined, pointer: boolean): TemplateValue {
  if (value === undefined || value === null) {
    if (pointer) return null;
    if (leaf === 'bool') return false;
    if (leaf === 'int32' || leaf === 'int64') return 0n;
    return leaf === 'float64' ? 0 : '';
  }
  if (typeof value === 'bigint' || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return value;
  return goValueOf(value);
}

function typeName(schema: Schema, pointer: boolean): string {
  const star = pointer ? '*' : '';
  switch (schema.type) {
    case 'struct':
      return star + schema.goName;
    case 'list':
      return `${star}[]${typeName(schema.items, schema.pointer)}`;
    case 'map':
      return `${star}map[string]${typeName(schema.values, schema.pointer)}`;
    default:
      return star + (['string', 'bool', 'int32', 'int64', 'float64'].includes(schema.leaf) ? schema.leaf : 'string');
  }
}

/** Returns a struct whose fields are read lazily. */
export function structValue(schema: StructSchema, value: ValueMap): GoStruct {
  const read = (field: FieldSchema): TemplateValue => typedGoValue(field.schema, value.get(field.name), field.pointer);
  return {
    kind: 'struct',
    type: schema.goName,
    field(name) {
      const field = schema.fields.find(({ goName }) => goName === name);
      return field === undefined ? undefined : { value: read(field) };
    },
    values: () => schema.fields.map(read),
    json: () => encodeTyped(value, schema),
  };
}

/** Returns a new struct with these fields. */
export function madeStruct(type: string, fields: Readonly<Record<string, TemplateValue>>): GoStruct {
  return {
    kind: 'struct',
    type,
    field: name => (Object.hasOwn(fields, name) ? { value: ownMember(fields, name) } : undefined),
    values: () => Object.values(fields),
    json: () =>
      `{${Object.entries(fields)
        .map(([name, value]) => `${JSON.stringify(name)}:${goJson(value)}`)
        .join(',')}}`,
  };
}

/** Returns a template's value as encoding/json writes it. */
export function goJson(given: TemplateValue): string {
  const value = inner(given);
  if (isGoStruct(value)) return value.json();
  if (isGoList(value)) return `[${value.items.map(goJson).join(',')}]`;
  if (isGoMap(value)) {
    const members = [...value.entries].map(([key, member]): [string, Value] => [key, { rawJson: goJson(member) }]);
    return writeValue(new Map(members), 'sorted');
  }
  return writeValue(scalarOf(value), 'sorted');
}

function scalarOf(given: TemplateValue): Value {
  const value = withoutType(given);
  return value === undefined || typeof value === 'object' ? null : value;
}
