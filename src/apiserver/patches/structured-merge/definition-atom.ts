import { isMap, mapAt, stringAt, stringsAt, type Value, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { memoize } from '../../../kubernetes/memoize.js';
import { structNamed } from '../../../kubernetes/type-table.js';
import { type Atom, deduced, type FieldAtom, type ListAtom, type MapAtom, untyped } from './atom.js';
import { atomOfSchema } from './schema-atom.js';

/**
 * Returns the merge type of a custom resource version, by the `openAPIV3Schema` of its definition; without one, of untyped objects. Source:
 * apiextensions openapi builder, kube-openapi schemaconv.
 */
export function atomOfDefinition(server: ApiServer, schema: ValueMap | undefined): Atom {
  if (schema === undefined) return { map: { relationship: 'separable', field: () => undefined, element: deduced, isDeduced: true } };
  return atomOf({ server, schema, preserves: false, resource: true });
}

interface Node {
  readonly server: ApiServer;
  readonly schema: ValueMap;
  /** Whether an outer schema keeps unknown members. */
  readonly preserves: boolean;
  /** Whether it describes an object with apiVersion, kind and metadata. */
  readonly resource: boolean;
}

function atomOf({ server, schema, preserves, resource }: Node): Atom {
  const node: Node = { server, schema, preserves: preserves || schema.get('x-kubernetes-preserve-unknown-fields') === true, resource };
  switch (stringAt(schema, 'type')) {
    case '':
      return { scalar: 'untyped', list: listOf(node), map: mapOf(node) };
    case 'object':
      return { map: mapOf(node) };
    case 'array':
      return { list: listOf(node) };
    case 'integer':
    case 'number':
      return { scalar: 'numeric' };
    case 'boolean':
      return { scalar: 'boolean' };
    default:
      return { scalar: ['', 'byte'].includes(stringAt(schema, 'format')) ? 'string' : 'untyped' };
  }
}

function inside({ server, preserves }: Node, schema: ValueMap): Node {
  return { server, schema, preserves, resource: schema.get('x-kubernetes-embedded-resource') === true };
}

function mapOf(node: Node): MapAtom {
  const { server, schema, preserves, resource } = node;
  const properties = mapAt(schema, 'properties') ?? new Map<string, Value>();
  const isEmpty = properties.size === 0 && !resource;
  const element = elementOf(node, isEmpty || preserves);
  const fields = new Map<string, FieldAtom>();
  return {
    relationship: schema.get('x-kubernetes-map-type') === 'atomic' ? 'atomic' : 'separable',
    field: name => {
      const known = fields.get(name) ?? (resource ? systemFields(server).get(name) : undefined);
      const property = known === undefined ? properties.get(name) : undefined;
      if (!isMap(property)) return known;
      const made = fieldOf(node, property);
      fields.set(name, made);
      return made;
    },
    element,
    isDeduced: isEmpty && element === deduced,
  };
}

function fieldOf(node: Node, property: ValueMap): FieldAtom {
  const type = atomOf(inside(node, property));
  const value = property.get('default');
  return value === undefined || value === null ? { type } : { type, default: value };
}

function elementOf(node: Node, takesAnything: boolean): Atom | undefined {
  const additional = node.schema.get('additionalProperties');
  if (isMap(additional)) return atomOf(inside(node, additional));
  if (additional === true) return deduced;
  return additional === undefined || additional === null ? (takesAnything ? deduced : undefined) : undefined;
}

function listOf(node: Node): ListAtom {
  const { schema } = node;
  const listType = stringAt(schema, 'x-kubernetes-list-type');
  const items = schema.get('items');
  return {
    relationship: listType === 'set' || listType === 'map' ? 'associative' : 'atomic',
    keys: listType === 'map' ? stringsAt(schema, 'x-kubernetes-list-map-keys') : [],
    get element() {
      return isMap(items) ? atomOf(inside(node, items)) : untyped;
    },
  };
}

/** Fields of every object, regardless of its schema. */
const systemFields: (server: ApiServer) => ReadonlyMap<string, FieldAtom> = memoize(
  server =>
    new Map<string, FieldAtom>([
      ['apiVersion', { type: { scalar: 'string' } }],
      ['kind', { type: { scalar: 'string' } }],
      [
        'metadata',
        {
          get type() {
            return atomOfSchema(structNamed(server, 'meta/v1.ObjectMeta'));
          },
        },
      ],
    ]),
);
