import { structNamed } from '../../../kubernetes/type-table.js';
import { memberSchema, type StructuralSchema } from '../../objects/custom/structural-schema.js';
import { type Atom, deduced, type FieldAtom, type ListAtom, type MapAtom, untyped } from './atom.js';
import { atomOfSchema } from './schema-atom.js';

/**
 * How values of a custom resource are merged, by its structural schema. Source: apiextensions-apiserver
 * controller/openapi/builder, kube-openapi schemaconv.
 */
export function atomOfStructural(schema: StructuralSchema): Atom {
  return { map: objectMap(schema, true) };
}

function atomOf(schema: StructuralSchema): Atom {
  if (schema.intOrString) return untyped;
  switch (schema.type) {
    case 'object':
      return { map: objectMap(schema, schema.embeddedResource) };
    case 'array':
      return { list: listOf(schema) };
    case 'string':
      return { scalar: 'string' };
    case 'boolean':
      return { scalar: 'boolean' };
    case 'integer':
    case 'number':
      return { scalar: 'numeric' };
    default:
      return schema.preserveUnknownFields ? deduced : untyped;
  }
}

/** Members that whole objects have besides those of their schema. */
function resourceField(name: string): FieldAtom | undefined {
  if (name === 'apiVersion' || name === 'kind') return { type: { scalar: 'string' } };
  return name === 'metadata' ? { type: atomOfSchema(structNamed('meta/v1.ObjectMeta')) } : undefined;
}

function objectMap(schema: StructuralSchema, isResource: boolean): MapAtom {
  const fields = new Map<string, FieldAtom>();
  const isDeduced = schema.properties.size === 0 && schema.additionalProperties === undefined && !isResource;
  return {
    relationship: schema.mapType === 'atomic' ? 'atomic' : 'separable',
    field: name => {
      const own = isResource ? resourceField(name) : undefined;
      if (own !== undefined) return own;
      const property = schema.properties.get(name);
      if (property === undefined) return undefined;
      const known = fields.get(name) ?? fieldOf(property);
      fields.set(name, known);
      return known;
    },
    element: elementOf(schema, isDeduced),
    isDeduced,
  };
}

function elementOf(schema: StructuralSchema, isDeduced: boolean): Atom | undefined {
  const other = memberSchema({ ...schema, properties: new Map() }, '');
  if (other !== undefined) return atomOf(other);
  return schema.additionalProperties === true || schema.preserveUnknownFields || isDeduced ? deduced : undefined;
}

function fieldOf(property: StructuralSchema): FieldAtom {
  return property.default === undefined ? { type: atomOf(property) } : { type: atomOf(property), default: property.default };
}

function listOf(schema: StructuralSchema): ListAtom {
  const { items, listType } = schema;
  return {
    relationship: listType === 'map' || listType === 'set' ? 'associative' : 'atomic',
    keys: listType === 'map' ? schema.listMapKeys : [],
    get element() {
      return items === undefined ? deduced : atomOf(items);
    },
  };
}
