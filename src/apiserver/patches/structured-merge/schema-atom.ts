import { toValue } from '../../../go/value.js';
import { memoize } from '../../../kubernetes/memoize.js';
import type { FieldSchema, LeafSchema, Schema } from '../../../kubernetes/schema.js';
import { type Atom, deduced, type FieldAtom, type ListAtom, type MapAtom, untyped } from './atom.js';

/** Returns the merge type of a schema in the table. Source: kube-openapi schemaconv, over the published schemas. */
export const atomOfSchema: (schema: Schema) => Atom = memoize(schema => makeAtom(schema, {}));

type Options = Pick<FieldSchema, 'listType' | 'listMapKeys' | 'mapType'>;

/** Returns the merge type; the field's own list or map settings override those of the type. */
function makeAtom(schema: Schema, options: Options): Atom {
  switch (schema.type) {
    case 'struct':
      return { map: structMap(schema, options) };
    case 'map':
      return { map: { ...mapOf(options), field: () => undefined, element: atomOfSchema(schema.values), isDeduced: false } };
    case 'list':
      return { list: listOf(schema.items, options) };
    default:
      return leafAtom(schema);
  }
}

function mapOf({ mapType }: Options): Pick<MapAtom, 'relationship'> {
  return { relationship: mapType === 'atomic' ? 'atomic' : 'separable' };
}

function structMap(schema: Schema & { type: 'struct' }, options: Options): MapAtom {
  const fields = new Map<string, FieldAtom>();
  const isEmpty = schema.fields.length === 0;
  return {
    ...mapOf({ mapType: options.mapType ?? schema.mapType }),
    field: name => {
      const known = fields.get(name);
      const field = known === undefined ? schema.fieldsByName.get(name) : undefined;
      if (field === undefined) return known;
      const made = fieldAtom(field);
      fields.set(name, made);
      return made;
    },
    // A published schema without properties is an object of any values.
    element: isEmpty ? deduced : undefined,
    isDeduced: isEmpty,
  };
}

function fieldAtom(field: FieldSchema): FieldAtom {
  const overrules = field.listType !== undefined || field.mapType !== undefined;
  const type = overrules ? makeAtom(field.schema, field) : atomOfSchema(field.schema);
  return field.default === undefined ? { type } : { type, default: toValue(field.default) };
}

function listOf(items: Schema, { listType, listMapKeys }: Options): ListAtom {
  return {
    relationship: listType === 'map' || listType === 'set' ? 'associative' : 'atomic',
    keys: listType === 'map' ? (listMapKeys ?? []) : [],
    get element() {
      return atomOfSchema(items);
    },
  };
}

function leafAtom({ leaf }: LeafSchema): Atom {
  switch (leaf) {
    case 'string':
    case 'bytes':
    case 'duration':
      return { scalar: 'string' };
    case 'bool':
      return { scalar: 'boolean' };
    case 'int32':
    case 'int64':
    case 'float64':
      return { scalar: 'numeric' };
    case 'quantity':
    case 'time':
    case 'microtime':
      return { scalar: 'untyped' };
    // Its OpenAPI schema has no type: a map or list is only refused when it is decoded.
    case 'intorstring':
    case 'rawextension':
      return untyped;
    case 'fieldsv1':
      return deduced.map === undefined ? deduced : { map: deduced.map };
    default:
      return deduced;
  }
}
