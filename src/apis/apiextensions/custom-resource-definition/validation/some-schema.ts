import { isMap, listAt, mapAt, type Value, type ValueMap } from '../../../../go/value.js';

const lists = ['allOf', 'anyOf', 'oneOf'];
const maps = ['properties', 'patternProperties', 'definitions', 'dependencies'];
const single = ['items', 'not', 'additionalProperties', 'additionalItems'];

/** Reports whether a predicate is true for a schema or a nested one. Source: apiextensions-apiserver validation.go SchemaHas. */
export function someSchema(schema: Value | undefined, holds: (schema: ValueMap) => boolean): boolean {
  if (!isMap(schema)) return false;
  if (holds(schema)) return true;
  const below = [
    ...single.map(name => schema.get(name)),
    ...[...lists, 'items'].flatMap(name => listAt(schema, name)),
    ...maps.flatMap(name => [...(mapAt(schema, name)?.values() ?? [])]),
  ];
  return below.some(inner => someSchema(inner, holds));
}
