import { compareKeys } from '../../go/key-order.js';
import { isPlain, mapPlain, type Plain } from './plain-schema.js';

/** Members of schemas as kube-openapi writes them; `x-` extensions follow, sorted. Source: kube-openapi pkg/validation/spec SchemaProps. */
const order: ReadonlyMap<string, number> = new Map(
  [
    ...['id', '$schema', 'description', '$ref', 'type', 'nullable', 'format', 'title', 'default', 'maximum', 'exclusiveMaximum'],
    ...['minimum', 'exclusiveMinimum', 'maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems', 'multipleOf', 'enum'],
    ...['maxProperties', 'minProperties', 'required', 'items', 'allOf', 'oneOf', 'anyOf', 'not', 'properties', 'additionalProperties'],
    ...['patternProperties', 'dependencies', 'additionalItems', 'definitions', 'externalDocs', 'example'],
  ].map((name, i) => [name, i]),
);

/** Members that have schemas by name. */
const namedSchemas = new Set(['properties', 'patternProperties', 'definitions']);
const schemas = new Set(['items', 'not', 'additionalProperties', 'additionalItems']);
const lists = new Set(['allOf', 'oneOf', 'anyOf']);

/** Returns a schema with its members, and those of the schemas in it, in the order in which the API server publishes them. */
export function orderedSchema(schema: unknown): unknown {
  if (!isPlain(schema)) return schema;
  const members = Object.entries(schema).sort(([a], [b]) => placeOf(a) - placeOf(b) || compareKeys(a, b));
  return Object.fromEntries(members.map(([key, value]) => [key, orderedMember(key, value)]));
}

/** Returns a value with the members of all maps sorted, as Go writes maps. */
export function sortedMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedMaps);
  if (!isPlain(value)) return value;
  return mapPlain(sortedMap(value), sortedMaps);
}

/** Returns a map with its members sorted by name. */
export function sortedMap(map: Readonly<Plain>): Plain {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => compareKeys(a, b)));
}

function orderedMember(key: string, value: unknown): unknown {
  if (namedSchemas.has(key) && isPlain(value)) return mapPlain(sortedMap(value), orderedSchema);
  if (schemas.has(key)) return orderedSchema(value);
  if (lists.has(key) && Array.isArray(value)) return value.map(orderedSchema);
  // Their order is not the same in OpenAPI v2 and v3.
  return key === 'x-kubernetes-validations' ? value : sortedMaps(value);
}

function placeOf(key: string): number {
  return order.get(key) ?? order.size;
}
