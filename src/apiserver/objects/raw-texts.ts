import type { JsonNode } from '../../go/json/node.js';
import { compactRaw } from '../../go/json/write.js';
import { isList, isMap, listAt, type RawJson, stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { parseApiVersion } from '../../kubernetes/group-version.js';
import { memoize } from '../../kubernetes/memoize.js';
import type { Schema, StructSchema } from '../../kubernetes/schema.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';

/** Returns JSON text as in a document: its compact form, and the text itself where that differs. */
export function rawTextOf(text: string): RawJson {
  const rawJson = compactRaw(text);
  return rawJson === text ? { rawJson } : { rawJson, sent: text };
}

/**
 * Keeps the raw JSON (RawExtension and the like) of a document's built-in objects as it is written there, because storage holds the bytes
 * as sent and comparisons see them. Multi-line text was formatted by another tool, and applied text was rewritten: both are taken to be
 * compact. Changes `value`, which was read from `node` of `text`.
 */
export function keepRawTexts(server: ApiServer, value: Value, node: JsonNode, text: string): void {
  const places: ReadValue[] = [{ value, node }];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const schema = isMap(place.value) ? storedSchema(server, place.value) : undefined;
    if (schema === undefined) places.push(...placesWithin(place));
    else if (reachesRaw(schema) && !wasApplied(place.value)) keepWithin(schema, place, { text, isWhole: true });
  }
}

interface ReadValue {
  readonly value: Value;
  readonly node: JsonNode;
}

function placesWithin({ value, node }: ReadValue): ReadValue[] {
  if (isList(value) && node.type === 'array') return value.flatMap((item, i) => placeOf(item, node.items[i]));
  if (isMap(value) && node.type === 'object') return node.members.flatMap(({ key, value: member }) => placeOf(value.get(key), member));
  return [];
}

function placeOf(value: Value | undefined, node: JsonNode | undefined): ReadValue[] {
  return (isMap(value) || isList(value)) && node !== undefined ? [{ value, node }] : [];
}

function storedSchema(server: ApiServer, value: ValueMap): StructSchema | undefined {
  const groupVersion = parseApiVersion(stringAt(value, 'apiVersion'));
  const kind = stringAt(value, 'kind');
  return groupVersion === undefined || kind.endsWith('List') ? undefined : schemaOfKind(server, { ...groupVersion, kind });
}

function wasApplied(object: Value): boolean {
  return listAt(object, 'metadata', 'managedFields').some(entry => stringAt(entry, 'operation') === 'Apply');
}

const isRaw = (schema: Schema): boolean => schema.type === 'leaf' && (schema.leaf === 'rawextension' || schema.leaf === 'fieldsv1');

/** Reports whether the type contains raw JSON, besides its managed fields, which the API server writes itself. */
const reachesRaw = memoize((schema: StructSchema): boolean => reaches(schema, new Set(), true));

function reaches(schema: Schema, visited: Set<Schema>, isWhole = false): boolean {
  if (isRaw(schema)) return true;
  if (schema.type === 'leaf' || visited.has(schema)) return false;
  visited.add(schema);
  if (schema.type === 'list') return reaches(schema.items, visited);
  if (schema.type === 'map') return reaches(schema.values, visited);
  return schema.fields.some(field => !(isWhole && field.name === 'metadata') && reaches(field.schema, visited));
}

function keepWithin(schema: Schema, { value, node }: ReadValue, document: { readonly text: string; readonly isWhole: boolean }): void {
  const inner = { ...document, isWhole: false };
  if (schema.type === 'list' && isList(value) && node.type === 'array') {
    for (const [i, item] of node.items.entries()) keepWithin(schema.items, { value: value[i] ?? null, node: item }, inner);
  } else if (schema.type === 'map' && isMap(value) && node.type === 'object') {
    for (const member of node.members) keepWithin(schema.values, { value: value.get(member.key) ?? null, node: member.value }, inner);
  } else if (schema.type === 'struct' && isMap(value) && node.type === 'object') {
    for (const { key, value: member } of node.members) {
      const field = schema.fieldsByName.get(key);
      if (field === undefined || (document.isWhole && key === 'metadata')) continue;
      const written = document.text.slice(member.start, member.end);
      if (!isRaw(field.schema)) keepWithin(field.schema, { value: value.get(key) ?? null, node: member }, inner);
      else if (member.type === 'object' && !/[\n\r]/.test(written)) value.set(key, rawTextOf(written));
    }
  }
}
