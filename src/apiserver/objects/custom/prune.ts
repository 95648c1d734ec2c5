import { isList, isMap, type Value, type ValueMap } from '../../../kubernetes/value.js';
import type { StructuralSchema } from './structural-schema.js';

/** Members that every whole object has, whatever its schema says. */
const objectMembers = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Removes what the schema does not name, at every level, in place; answers the paths of what was removed, in the order
 * found. Source: apiextensions-apiserver schema/pruning.
 */
export function prune(object: ValueMap, schema: StructuralSchema): string[] {
  const removed: string[] = [];
  pruneObject(object, schema, { path: '', isResource: true, removed });
  return removed;
}

interface Place {
  readonly path: string;
  readonly isResource: boolean;
  readonly removed: string[];
}

function pruneObject(object: ValueMap, schema: StructuralSchema, place: Place): void {
  const isResource = place.isResource || schema.embeddedResource;
  for (const [name, value] of [...object]) {
    const path = place.path === '' ? name : `${place.path}.${name}`;
    if (isResource && objectMembers.has(name)) continue;
    const named = schema.properties.get(name);
    if (named !== undefined) pruneValue(value, named, { ...place, path });
    else if (schema.additionalProperties === true) continue;
    else if (schema.additionalProperties !== undefined) pruneValue(value, schema.additionalProperties, { ...place, path });
    else if (!schema.preserveUnknownFields) {
      object.delete(name);
      place.removed.push(path);
    }
  }
}

function pruneValue(value: Value, schema: StructuralSchema, place: Place): void {
  const below = { ...place, isResource: schema.embeddedResource };
  if (isMap(value)) {
    pruneObject(value, schema, below);
    return;
  }
  if (!isList(value)) return;
  const { items } = schema;
  for (const [i, item] of value.entries()) {
    const path = `${place.path}[${i}]`;
    if (items !== undefined) pruneValue(item, items, { ...place, path });
    else if (!schema.preserveUnknownFields && isMap(item)) pruneUnknownItem(item, { ...below, path });
  }
}

/** An item of a list without a schema keeps nothing. */
function pruneUnknownItem(item: ValueMap, place: Place): void {
  for (const name of [...item.keys()]) {
    item.delete(name);
    place.removed.push(`${place.path}.${name}`);
  }
}
