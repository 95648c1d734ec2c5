import { foldCase } from '../../go/fold-name.js';
import { jsonKind } from '../../go/json/node.js';
import { type JsonArray, type JsonNode, type JsonObject, JsonSyntaxError, readJson } from '../../go/json/reader.js';
import { isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { FieldSchema, ListSchema, MapSchema, Schema, StructSchema } from '../../kubernetes/schema.js';
import { type Decoded, DecodeError } from './codec.js';
import { quantitySource, readLeaf, readNullLeaf } from './decode-leaf.js';
import type { DecodeTarget, ReadContext } from './decode-target.js';
import { rememberExact } from './exact-quantities.js';

import { goElementType, goTypeName } from './go-type-name.js';
import { AbortedReading, decodeErrorOf, newReading, saveMismatch, saveStrictError, type TypedReading } from './typed-reading.js';
import { zeroValue } from './zero-value.js';

export interface DecodedStruct extends Decoded {
  /** Paths of the unknown fields among the strict errors, unquoted. */
  readonly unknownPaths: readonly string[];
}

/**
 * Reads JSON text into a Go struct: names are case-sensitive, unknown ones are dropped, of equal ones the last scalar counts while structs
 * and lists are read over one another. Non-pointer zero values (`""`, `0`, `false`) are omitted. Throws DecodeError with Go's message.
 * `known` is the parsed text, if available. Source: sigs.k8s.io/json decode.go.
 */
export function decodeTyped(text: string, schema: StructSchema, known?: JsonNode): DecodedStruct {
  const node = known ?? parse(text);
  const reading = newReading(schema.server, text);
  try {
    const value = readTypedValue({ schema, pointer: false }, node, { reading, previous: undefined });
    if (reading.firstFailure !== undefined) throw decodeErrorOf(reading.firstFailure);
    return { value: isMap(value) ? value : new Map(), strictErrors: reading.strictErrors, unknownPaths: reading.unknownPaths };
  } catch (error) {
    if (error instanceof AbortedReading) throw new DecodeError(error.message);
    throw error;
  }
}

/**
 * Decodes JSON text as Go's encoding/json does, which matches names case-insensitively; null for nil. Throws DecodeError with Go's message.
 */
export function decodeFolded(server: ApiServer, text: string, schema: Schema): Value {
  const reading: TypedReading = { ...newReading(server, text), foldsCase: true };
  try {
    const value = readTypedValue({ schema, pointer: false }, parse(text), { reading, previous: undefined });
    if (reading.firstFailure !== undefined) throw decodeErrorOf(reading.firstFailure);
    return value ?? zeroValue(schema, false);
  } catch (error) {
    if (error instanceof AbortedReading) throw new DecodeError(error.message);
    throw error;
  }
}

/** Returns the value of a node; undefined for Go's zero value. */
export function readTypedValue(target: DecodeTarget, node: JsonNode, context: ReadContext): Value | undefined {
  if (node.type === 'literal' && node.value === null) return readNull(target, context);
  if (isOfType(target, 'leaf')) return readLeaf(target, node, context, readTypedValue);
  if (node.type === 'object') {
    if (isOfType(target, 'struct')) return readStruct(target.schema, node, context);
    if (isOfType(target, 'map')) return readMap(target, node, context);
  } else if (node.type === 'array' && isOfType(target, 'list')) return readList(target, node, context);
  saveMismatch(context.reading, jsonKind(node), goTypeName(target.schema, target.goType));
  return context.previous;
}

function isOfType<T extends Schema['type']>(target: DecodeTarget, type: T): target is DecodeTarget<Extract<Schema, { type: T }>> {
  return target.schema.type === type;
}

function parse(text: string): JsonNode {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new DecodeError(error.message);
    throw error;
  }
}

/** Handles `null`, which sets nillable values to nil and does not change others. */
function readNull({ schema, pointer }: DecodeTarget, { previous }: ReadContext): Value | undefined {
  if (pointer || schema.type === 'list' || schema.type === 'map') return undefined;
  return schema.type === 'struct' ? previous : readNullLeaf(schema, previous);
}

function readStruct(schema: StructSchema, node: JsonObject, { reading, previous }: ReadContext): ValueMap {
  const map: ValueMap = isMap(previous) ? previous : new Map();
  const { fieldsByName } = schema;
  // A list, because structs have few fields and most objects are small.
  const seen: FieldSchema[] = [];
  for (const { key, value } of node.members) {
    const field = fieldsByName.get(key) ?? (reading.foldsCase ? foldedField(schema, key) : undefined);
    if (field === undefined) {
      saveStrictError(reading, 'unknown field', key);
      continue;
    }
    if (seen.includes(field)) saveStrictError(reading, 'duplicate field', key);
    else seen.push(field);
    const read = readField(field, value, { reading, previous: map.get(field.name) });
    if (read === undefined) map.delete(field.name);
    else map.set(field.name, read);
  }
  return map;
}

function foldedField(schema: StructSchema, key: string): FieldSchema | undefined {
  const folded = foldCase(key);
  return schema.fields.find(field => foldCase(field.name) === folded);
}

function readField(field: FieldSchema, node: JsonNode, { reading, previous }: ReadContext): Value | undefined {
  const { structName, fieldPath, strictPath } = reading;
  const depth = fieldPath.length;
  reading.structName = field.declaredBy;
  // Go 1.24 left embedded structs out of the path.
  if (field.embeddedIn !== undefined && reading.server.since('v1.35')) fieldPath.push(...field.embeddedIn);
  fieldPath.push(field.name);
  strictPath.push(field.name);
  const value = readTypedValue(field, node, { reading, previous });
  reading.structName = structName;
  // Not by setting its length, which allocates a new list.
  while (fieldPath.length > depth) fieldPath.pop();
  strictPath.pop();
  return value;
}

/** Reads a map; entries replace those of an earlier map of the same name, which is reused. */
function readMap({ schema, goType }: DecodeTarget<MapSchema>, node: JsonObject, { reading, previous }: ReadContext): ValueMap {
  const map: ValueMap = isMap(previous) ? previous : new Map();
  const target = { schema: schema.values, pointer: schema.pointer, goType: goElementType(goType) };
  // A new map has the keys that were seen.
  const earlier = map === previous ? new Set<string>() : undefined;
  const { strictPath } = reading;
  const hasQuantities = schema.values.type === 'leaf' && schema.values.leaf === 'quantity';
  for (const { key, value } of node.members) {
    if ((earlier ?? map).has(key)) saveStrictError(reading, 'duplicate field', key);
    earlier?.add(key);
    strictPath.push(key);
    map.set(key, readTypedValue(target, value, { reading, previous: undefined }) ?? zeroValue(schema.values, schema.pointer));
    if (hasQuantities) rememberExact(map, key, quantitySource(value, reading));
    strictPath.pop();
  }
  return map;
}

/**
 * Reads list items over those of an earlier list of the same name. A shorter list hides the remaining items and a third, longer one shows
 * them again, because Go resizes the same slice.
 */
function readList({ schema, goType }: DecodeTarget<ListSchema>, node: JsonArray, { reading, previous }: ReadContext): Value[] {
  const list: Value[] = [];
  if (node.items.length === 0) return list;
  const before = isList(previous) ? (hiddenItems.get(previous) ?? previous) : [];
  const target = { schema: schema.items, pointer: schema.pointer, goType: goElementType(goType) };
  const { strictPath } = reading;
  for (const item of node.items) {
    const i = list.length;
    strictPath.push(i);
    list.push(readTypedValue(target, item, { reading, previous: before[i] ?? undefined }) ?? zeroValue(schema.items, schema.pointer));
    strictPath.pop();
  }
  if (before.length > list.length) hiddenItems.set(list, [...list, ...before.slice(list.length)]);
  return list;
}

/** Items in a slice's capacity beyond its length. */
const hiddenItems = new WeakMap<Value[], Value[]>();
