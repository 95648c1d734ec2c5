import { ownMember } from '../../go/own-members.js';
import { isMap, listAt, mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import { lazy } from '../../kubernetes/memoize.js';
import type { FieldType, LeafKind, StructType, TypedField } from './field-type.js';

/**
 * Returns the type that a JSON Schema describes, with its `$defs`. Of several types the one with fields counts, then the list; of conditions, both branches: what
 * may be written is offered, not what has to be.
 */
export function jsonSchemaType(root: ValueMap): StructType {
  return structOf(root, root, '');
}

function typeOf(root: ValueMap, schema: Value | undefined, name: string): FieldType {
  if (!isMap(schema)) return { kind: 'leaf', leaf: 'any', text: 'any' };
  const parts = partsOf(root, schema);
  if (parts.some(part => part.has('properties'))) return structOf(root, schema, name);
  const types = new Set(parts.flatMap(part => (typeof part.get('type') === 'string' ? [part.get('type')] : listAt(part, 'type'))));
  const items = parts.find(part => part.has('items'))?.get('items');
  if (items !== undefined && types.has('array') && !types.has('string')) return { kind: 'list', items: typeOf(root, items, name) };
  const entries = parts.find(part => isMap(part.get('additionalProperties')))?.get('additionalProperties');
  if (entries !== undefined && !types.has('string')) return { kind: 'map', values: typeOf(root, entries, name) };
  const values = parts.flatMap(part => [...listAt(part, 'enum'), ...(part.has('const') ? [part.get('const')] : [])]).map(String);
  const [leaf = 'any'] = [...types].flatMap(type => ownMember(leaves, String(type)) ?? []);
  return { kind: 'leaf', leaf, text: [...types].join(' or ') || 'any', values: values.length === 0 ? undefined : values };
}

function structOf(root: ValueMap, schema: ValueMap, name: string): StructType {
  const fields = lazy((): ReadonlyMap<string, TypedField> => {
    const parts = partsOf(root, schema);
    const required = new Set(parts.flatMap(part => listAt(part, 'required')));
    const found = new Map<string, TypedField>();
    for (const part of parts)
      for (const [key, property] of mapAt(part, 'properties') ?? []) {
        const schemas = [found.get(key)?.type, typeOf(root, property, `${name}.${key}`)].filter(type => type !== undefined);
        const description = stringAt(isMap(property) ? property : undefined, 'description') || found.get(key)?.description;
        found.set(key, { type: joined(schemas), description: description === '' ? undefined : description, isRequired: required.has(key) });
      }
    return found;
  });
  return { kind: 'struct', name, fields, isOpen: false };
}

/** A property may be described in several parts. */
function joined(types: readonly FieldType[]): FieldType {
  const structs = types.filter(type => type.kind === 'struct');
  const [only = { kind: 'leaf', leaf: 'any', text: 'any' } as const] = types.toReversed();
  const [first] = structs;
  if (structs.length < 2 || first === undefined) return first ?? only;
  return { ...first, fields: lazy(() => new Map(structs.flatMap(struct => [...struct.fields()]))) };
}

/** Returns a schema, what it refers to, and the branches of its condition. */
function partsOf(root: ValueMap, schema: ValueMap): ValueMap[] {
  const referred = /^#\/\$defs\/(.*)$/.exec(stringAt(schema, '$ref'))?.[1];
  const others = [referred === undefined ? undefined : mapAt(root, '$defs', referred), mapAt(schema, 'then'), mapAt(schema, 'else')];
  return [schema, ...others.flatMap(other => (other === undefined ? [] : partsOf(root, other)))];
}

const leaves: Readonly<Record<string, LeafKind>> = { string: 'string', boolean: 'boolean', integer: 'integer', number: 'number' };
