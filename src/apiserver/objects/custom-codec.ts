import { JsonTypeError, readUnstructured, unstructuredStrictOf } from '../../encoding/unstructured.js';
import { type JsonNode, JsonSyntaxError, readJson } from '../../go/json/reader.js';
import { writeValue } from '../../go/json/write.js';
import { goTypeOf, printGo } from '../../go/print.js';
import { copyOf, isList, isMap, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { type GroupVersionKind, parseApiVersion } from '../../kubernetes/group-version.js';
import { type Codec, type Decoded, DecodeError } from './codec.js';
import { coerceEmbedded, coerceMetadata } from './coerce-metadata.js';
import { prune } from './prune.js';
import { memberSchema, type StructuralSchema, structuralSchemaOf } from './structural-schema.js';

/** Codec of a custom resource, with its schema. */
export interface CustomCodec extends Codec {
  readonly schema: StructuralSchema;
  /** Reads the text after a webhook's patch, without pruning. Throws DecodeError. */
  readonly decodeUnpruned: (text: string) => ValueMap;
  /**
   * Coerces a converted or stored value to its version, in place: prunes it, removes nulls that are not allowed, makes its metadata
   * canonical. Throws DecodeError for metadata of wrong types, which are dropped for values from storage.
   */
  readonly coerce: (value: ValueMap, from: 'converter' | 'storage') => void;
}

/** Max reported problems of one body; further ones are omitted. */
const strictLimit = 100;

/** Returns the codec of one version of a definition. Source: apiextensions-apiserver pkg/apiserver/customresource_handler.go. */
export function customCodec(server: ApiServer, kind: GroupVersionKind, definition: ValueMap): CustomCodec {
  const setDefaults = (value: ValueMap): void => {
    const schema = ownSchema(value, definition);
    if (schema !== undefined) applyStructuralDefaults(value, schema);
  };
  return {
    kind,
    server,
    schema: structuralSchemaOf(definition, kind.version),
    decode: (text, node) => decode(server, readObject(text, node), definition),
    decodeUnpruned: text => readObject(text).value,
    coerce: (value, from) => {
      coerceObject(server, value, definition, from === 'storage');
    },
    applyDefaults: setDefaults,
    setDefaults,
    throughInternal: () => undefined,
    encode,
    toUnstructured: value => {
      const read = readUnstructured(encode(value));
      return isMap(read) ? read : new Map();
    },
  };
}

/** Reports whether the codec is one of a custom resource. */
export function isCustomCodec(codec: Codec): codec is CustomCodec {
  return 'decodeUnpruned' in codec;
}

function encode(value: ValueMap): string {
  return writeValue(value, 'sorted');
}

function decode(server: ApiServer, { value, strictErrors }: Decoded, definition: ValueMap): Decoded {
  const unknown = coerceObject(server, value, definition, false).map(path => `unknown field "${path}"`);
  return { value, strictErrors: [...strictErrors, ...unknown].slice(0, strictLimit) };
}

/** Prunes the object and returns the unknown paths. An object of another kind loses only unknown metadata. */
function coerceObject(server: ApiServer, object: ValueMap, definition: ValueMap, dropsInvalid: boolean): string[] {
  for (const name of ['kind', 'apiVersion']) {
    const value = object.get(name);
    if (value !== undefined && typeof value !== 'string')
      throw new DecodeError(`.${name} accessor error: ${printGo(value)} is of the type ${goTypeOf(value)}, expected string`);
  }
  const unknown = coerceMetadata(server, object, '', dropsInvalid);
  const schema = ownSchema(object, definition);
  if (schema === undefined) return unknown;
  if (valueAt(definition, 'spec', 'preserveUnknownFields') !== true) {
    unknown.push(...prune(object, schema));
    pruneNulls(object, schema);
  }
  return [...unknown, ...coerceEmbedded(server, object, schema, dropsInvalid).sort(byBytes)];
}

/** Returns the schema of the object's own version; undefined for another kind. */
function ownSchema(object: ValueMap, definition: ValueMap): StructuralSchema | undefined {
  const { group, version } = parseApiVersion(stringAt(object, 'apiVersion')) ?? { group: '', version: '' };
  const isOwn =
    group === stringAt(definition, 'spec', 'group') && stringAt(object, 'kind') === stringAt(definition, 'spec', 'names', 'kind');
  return isOwn ? structuralSchemaOf(definition, version) : undefined;
}

function readObject(text: string, known?: JsonNode): Decoded {
  let read: { readonly value: Value; readonly strictErrors: readonly string[] };
  try {
    read = unstructuredStrictOf(known ?? readJson(text));
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof JsonTypeError) throw new DecodeError(error.message);
    throw error;
  }
  if (!isMap(read.value) || stringAt(read.value, 'kind') === '') throw new DecodeError(`Object 'Kind' is missing in '${text}'`);
  return { value: read.value, strictErrors: read.strictErrors };
}

function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Applies defaults to members that are missing (or null and not nullable), at every level, in place. Source: apiextensions-apiserver
 * schema/defaulting.
 */
function applyStructuralDefaults(value: Value, schema: StructuralSchema): void {
  if (isMap(value)) {
    for (const [name, property] of schema.properties) {
      if (property.default !== undefined && needsDefault(value.get(name), property)) value.set(name, copyOf(property.default));
    }
    for (const [name, member] of value) {
      const below = memberSchema(schema, name);
      if (below === undefined) continue;
      const filled = filledIn(member, below);
      if (filled !== member) value.set(name, filled);
      applyStructuralDefaults(filled, below);
    }
  } else if (isList(value) && schema.items !== undefined) {
    for (const [i, item] of value.entries()) {
      const filled = filledIn(item, schema.items);
      value[i] = filled;
      applyStructuralDefaults(filled, schema.items);
    }
  }
}

/** Removes nulls that are not allowed and have no default. Source: schema/defaulting PruneNonNullableNullsWithoutDefaults. */
function pruneNulls(value: Value, schema: StructuralSchema): void {
  if (isMap(value)) pruneNullMembers(value, schema);
  else if (isList(value) && schema.items !== undefined) for (const item of value) pruneNulls(item, schema.items);
}

function pruneNullMembers(object: ValueMap, schema: StructuralSchema): void {
  for (const [name, member] of [...object]) {
    const below = memberSchema(schema, name);
    if (below === undefined) continue;
    if (member === null && !below.nullable && below.default === undefined) object.delete(name);
    else pruneNulls(member, below);
  }
}

function needsDefault(value: Value | undefined, schema: StructuralSchema): boolean {
  return value === undefined || (value === null && !schema.nullable);
}

function filledIn(value: Value, schema: StructuralSchema): Value {
  return value === null && !schema.nullable && schema.default !== undefined ? copyOf(schema.default) : value;
}
