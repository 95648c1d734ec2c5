import { JsonTypeError, readUnstructured, unstructuredStrictOf } from '../../../encoding/unstructured.js';
import { type JsonNode, JsonSyntaxError, readJson } from '../../../go/json/reader.js';
import { writeValue } from '../../../go/json/write.js';
import { goTypeOf, printGo } from '../../../go/print.js';
import { isMap, stringAt, type Value, type ValueMap, valueAt } from '../../../go/value.js';
import { type GroupVersionKind, parseApiVersion } from '../../../kubernetes/group-version.js';
import { type Codec, type Decoded, DecodeError } from '../codec.js';
import { coerceEmbedded, coerceMetadata } from './coerce-metadata.js';
import { applyStructuralDefaults, pruneNulls } from './defaulting.js';
import { prune } from './prune.js';
import { type StructuralSchema, structuralSchemaOf } from './structural-schema.js';

/** A codec of a custom resource, with the schema that is behind it. */
export interface CustomCodec extends Codec {
  readonly schema: StructuralSchema;
  /** Reads what a webhook's patch left: nothing is pruned then. Throws DecodeError. */
  readonly decodeUnpruned: (text: string) => ValueMap;
  /**
   * Makes a value that was converted or stored fit its version, in place: pruned, without nulls where none may be, its metadata
   * canonical. Throws DecodeError for metadata of wrong types, unless it comes from storage: those are dropped then.
   */
  readonly coerce: (value: ValueMap, from: 'converter' | 'storage') => void;
}

/** Problems of one body that are told; more are left out. */
const strictLimit = 100;

/** Returns the codec of one version of a definition. Source: apiextensions-apiserver pkg/apiserver/customresource_handler.go. */
export function customCodec(kind: GroupVersionKind, definition: ValueMap): CustomCodec {
  const setDefaults = (value: ValueMap): void => {
    const schema = ownSchema(value, definition);
    if (schema !== undefined) applyStructuralDefaults(value, schema);
  };
  return {
    kind,
    schema: structuralSchemaOf(definition, kind.version),
    decode: (text, node) => decode(readObject(text, node), definition),
    decodeUnpruned: text => readObject(text).value,
    coerce: (value, from) => {
      coerceObject(value, definition, from === 'storage');
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

/** Is this codec one of a custom resource? */
export function isCustomCodec(codec: Codec): codec is CustomCodec {
  return 'decodeUnpruned' in codec;
}

function encode(value: ValueMap): string {
  return writeValue(value, 'sorted');
}

function decode({ value, strictErrors }: Decoded, definition: ValueMap): Decoded {
  const unknown = coerceObject(value, definition, false).map(path => `unknown field "${path}"`);
  return { value, strictErrors: [...strictErrors, ...unknown].slice(0, strictLimit) };
}

/** Answers the paths of what the object's version does not know. An object of another kind keeps all but what its metadata does not know. */
function coerceObject(object: ValueMap, definition: ValueMap, dropsInvalid: boolean): string[] {
  for (const name of ['kind', 'apiVersion']) {
    const value = object.get(name);
    if (value !== undefined && typeof value !== 'string')
      throw new DecodeError(`.${name} accessor error: ${printGo(value)} is of the type ${goTypeOf(value)}, expected string`);
  }
  const unknown = coerceMetadata(object, '', dropsInvalid);
  const schema = ownSchema(object, definition);
  if (schema === undefined) return unknown;
  if (valueAt(definition, 'spec', 'preserveUnknownFields') !== true) {
    unknown.push(...prune(object, schema));
    pruneNulls(object, schema);
  }
  return [...unknown, ...coerceEmbedded(object, schema, dropsInvalid).sort(byBytes)];
}

/** Returns the schema of the version that the object says it is of; undefined for another kind. */
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
