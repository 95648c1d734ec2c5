import { definitionOf } from '../../apiserver/call/definitions.js';
import { type StructuralSchema, structuralSchemaOf } from '../../apiserver/objects/structural-schema.js';
import { ownMember } from '../../go/own-members.js';
import { stringsAt, type Value } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import type { Schema, StructSchema } from '../../kubernetes/schema.js';
import { schemaOfKind, structNamed } from '../../kubernetes/type-table.js';
import { leafShape, type ObjectShape, type SchemaShape } from './shape.js';

/** Returns the shape of a resource's objects: from the table of Kubernetes types, or from its definition. Undefined for unknown types. */
export function shapeOfKind(resource: Resource, state: ClusterState): ObjectShape | undefined {
  const definition = definitionOf(resource, state);
  if (definition === undefined) {
    const schema = schemaOfKind(state.server, resource.kind);
    return schema === undefined ? undefined : shapeOfStruct(schema);
  }
  const shape = shapeOfSchema(structuralSchemaOf(definition, resource.version), resource.kind.kind);
  if (shape.type !== 'object') return undefined;
  const metadata = shapeOfStruct(structNamed(state.server, 'meta/v1.ObjectMeta'));
  return { ...shape, fields: new Map<string, SchemaShape>([...shape.fields, ['metadata', metadata]]) };
}

const structs = new WeakMap<StructSchema, ObjectShape>();

/** Types refer to themselves, so fields are read on first use. */
function shapeOfStruct(schema: StructSchema): ObjectShape {
  const known = structs.get(schema);
  if (known !== undefined) return known;
  let fields: ReadonlyMap<string, SchemaShape> | undefined;
  const shape: ObjectShape = {
    type: 'object',
    name: schema.name,
    get fields() {
      fields ??= new Map(schema.fields.map(field => [field.name, shapeOfType(field.schema, field.listMapKeys, field.listType)]));
      return fields;
    },
    required: [],
    isOpen: false,
  };
  structs.set(schema, shape);
  return shape;
}

function shapeOfType(schema: Schema, keys: readonly string[] = [], listType = ''): SchemaShape {
  if (schema.type === 'struct') return shapeOfStruct(schema);
  if (schema.type === 'map') return { type: 'map', values: shapeOfType(schema.values) };
  if (schema.type === 'leaf') return leafShape(schema.leaf);
  return {
    type: 'list',
    items: shapeOfType(schema.items),
    keys,
    isSet: listType === 'set',
    minItems: 0,
    maxItems: Number.POSITIVE_INFINITY,
  };
}

function shapeOfSchema(schema: StructuralSchema, name: string): SchemaShape {
  const { source } = schema;
  if (schema.intOrString) return leafShape('intorstring', limitsOf(schema));
  if (schema.type === 'array') {
    return {
      type: 'list',
      items: schema.items === undefined ? leafShape('any') : shapeOfSchema(schema.items, `${name}[]`),
      keys: schema.listMapKeys,
      isSet: schema.listType === 'set',
      minItems: numberOf(source.get('minItems')) ?? 0,
      maxItems: numberOf(source.get('maxItems')) ?? Number.POSITIVE_INFINITY,
    };
  }
  if (schema.type === 'object') {
    const { additionalProperties } = schema;
    if (typeof additionalProperties === 'object') return { type: 'map', values: shapeOfSchema(additionalProperties, `${name}{}`) };
    return {
      type: 'object',
      name,
      fields: new Map([...schema.properties].map(([key, member]) => [key, shapeOfSchema(member, `${name}.${key}`)])),
      required: stringsAt(source, 'required'),
      isOpen: schema.preserveUnknownFields || additionalProperties === true,
    };
  }
  const leaf = ownMember(leaves, schema.type);
  return leafShape(leaf ?? 'any', limitsOf(schema));
}

const leaves: Readonly<Record<string, 'string' | 'int64' | 'float64' | 'bool'>> = {
  string: 'string',
  integer: 'int64',
  number: 'float64',
  boolean: 'bool',
};

function limitsOf({ source, nullable }: StructuralSchema): Parameters<typeof leafShape>[1] {
  const text = (key: string): string | undefined => {
    const value = source.get(key);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    choices: stringsAt(source, 'enum'),
    format: text('format'),
    pattern: text('pattern'),
    min: numberOf(source.get('minimum')),
    max: numberOf(source.get('maximum')),
    minLength: numberOf(source.get('minLength')) ?? 0,
    maxLength: numberOf(source.get('maxLength')),
    isNullable: nullable,
  };
}

function numberOf(value: Value | undefined): number | undefined {
  return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : undefined;
}
