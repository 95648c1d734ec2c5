import { isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import type { StructuralSchema } from './structural-schema.js';

/** Members of every whole object, regardless of its schema. */
const objectMembers = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Removes fields that the schema does not specify, at every level, in place; returns the sorted removed paths. Source:
 * apiextensions-apiserver schema/pruning/algorithm.go.
 */
export function prune(object: ValueMap, schema: StructuralSchema): string[] {
  const removed: string[] = [];
  pruneMembers(object, { ...schema, embeddedResource: true }, '', removed);
  return removed.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** Prunes a value that is not a whole object; see prune. */
export function pruneTo(value: Value, schema: StructuralSchema): void {
  pruneValue(value, schema, '', []);
}

/** Prunes a value; without a schema objects lose all their members. */
function pruneValue(value: Value, schema: StructuralSchema | undefined, path: string, removed: string[]): void {
  if (schema?.preserveUnknownFields === true) keepUnknown(value, schema, path, removed);
  else if (isMap(value)) {
    if (schema !== undefined) pruneMembers(value, schema, path, removed);
    else for (const name of [...value.keys()]) remove(value, name, `${path}.${name}`, removed);
  } else if (isList(value)) {
    for (const [i, item] of value.entries()) pruneValue(item, schema?.items, `${path}[${i}]`, removed);
  }
}

/** Keeps unknown fields, also in items of lists, and prunes below known ones. */
function keepUnknown(value: Value, schema: StructuralSchema, path: string, removed: string[]): void {
  if (isMap(value)) pruneMembers(value, { ...schema, preserveUnknownFields: true }, path, removed);
  else if (isList(value) && schema.items !== undefined) {
    for (const [i, item] of value.entries()) keepUnknown(item, schema.items, `${path}[${i}]`, removed);
  }
}

function pruneMembers(object: ValueMap, schema: StructuralSchema, path: string, removed: string[]): void {
  const { properties, additionalProperties: others, preserveUnknownFields, embeddedResource } = schema;
  for (const [name, value] of [...object]) {
    if (embeddedResource && objectMembers.has(name)) continue;
    const memberPath = path === '' ? name : `${path}.${name}`;
    const named = properties.get(name);
    if (named !== undefined) pruneValue(value, named, memberPath, removed);
    else if (others !== undefined) pruneValue(value, typeof others === 'object' ? others : undefined, memberPath, removed);
    else if (!preserveUnknownFields) remove(object, name, memberPath, removed);
  }
}

function remove(object: ValueMap, name: string, path: string, removed: string[]): void {
  object.delete(name);
  removed.push(path);
}
