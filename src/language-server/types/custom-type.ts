import { ownMember } from '../../go/own-members.js';
import { isMap, listAt, mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import { lazy, memoize } from '../../kubernetes/memoize.js';
import type { FieldType, LeafKind, StructType, TypedField } from './field-type.js';

/** Returns the type that a schema of a definition declares. */
export const customType: (schema: ValueMap) => FieldType = memoize((schema: ValueMap) => typeOf(schema, ''));

function typeOf(schema: Value | undefined, name: string): FieldType {
  if (!isMap(schema)) return { kind: 'leaf', leaf: 'any', text: 'any' };
  if (schema.get('x-kubernetes-int-or-string') === true) return { kind: 'leaf', leaf: 'any', text: 'IntOrString' };
  const type = stringAt(schema, 'type');
  if (type === 'array') return { kind: 'list', items: typeOf(schema.get('items'), name) };
  if (type !== 'object') return leafOf(schema, type);
  const additional = schema.get('additionalProperties');
  const properties = mapAt(schema, 'properties');
  if (properties === undefined && isMap(additional)) return { kind: 'map', values: typeOf(additional, name) };
  return structOf(schema, properties ?? new Map(), name);
}

function structOf(schema: ValueMap, properties: ValueMap, name: string): StructType {
  const required = new Set(listAt(schema, 'required'));
  const fields = lazy(
    () =>
      new Map(
        [...properties].map(([key, property]): [string, TypedField] => {
          const description = stringAt(isMap(property) ? property : undefined, 'description');
          const fallback = isMap(property) ? property.get('default') : undefined;
          return [
            key,
            {
              type: typeOf(property, `${name}.${key}`),
              description: description === '' ? undefined : description,
              isRequired: required.has(key),
              default: fallback,
            },
          ];
        }),
      ),
  );
  const isOpen = schema.get('x-kubernetes-preserve-unknown-fields') === true || schema.get('x-kubernetes-embedded-resource') === true;
  return { kind: 'struct', name, fields, isOpen };
}

function leafOf(schema: ValueMap, type: string): FieldType {
  const values = listAt(schema, 'enum').map(value => (typeof value === 'string' ? value : String(value)));
  const format = stringAt(schema, 'format');
  const leaf = ownMember(formats, format) ?? ownMember(types, type) ?? 'any';
  const text = type === '' ? 'any' : format === '' ? type : `${type} (${format})`;
  return { kind: 'leaf', leaf, text, values: values.length === 0 ? undefined : values };
}

const formats: Readonly<Record<string, LeafKind>> = { 'date-time': 'time', date: 'time', duration: 'duration', byte: 'bytes' };
const types: Readonly<Record<string, LeafKind>> = { string: 'string', boolean: 'boolean', integer: 'integer', number: 'number' };
