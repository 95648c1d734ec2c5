import { writeValue } from '../../../encoding/go-json.js';
import { JsonSyntaxError } from '../../../encoding/json-syntax-error.js';
import { JsonTypeError, readUnstructuredStrict } from '../../../encoding/unstructured.js';
import type { GroupVersionKind } from '../../../kubernetes/group-version.js';
import { isMap, type Value, type ValueMap } from '../../../kubernetes/value.js';
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
  /** Makes a value that was converted fit the version: pruned, without nulls where none may be. */
  readonly coerce: (value: ValueMap) => void;
}

/** Problems of one body that are told; more are left out. */
const strictLimit = 100;

/** The codec of one version of a definition. Source: apiextensions-apiserver pkg/apiserver/customresource_handler.go. */
export function customCodec(kind: GroupVersionKind, definition: ValueMap): CustomCodec {
  const schema = structuralSchemaOf(definition, kind.version);
  const setDefaults = (value: ValueMap): void => {
    pruneNulls(value, schema);
    applyStructuralDefaults(value, schema);
  };
  return {
    kind,
    schema,
    decode: text => decode(text, schema),
    decodeUnpruned: text => readObject(text).value,
    coerce: value => {
      coerceMetadata(value, '');
      prune(value, schema);
      pruneNulls(value, schema);
      coerceEmbedded(value, schema, '');
    },
    applyDefaults: setDefaults,
    setDefaults,
    throughInternal: () => undefined,
    encode: value => writeValue(value, 'sorted'),
  };
}

/** Is this codec one of a custom resource? */
export function isCustomCodec(codec: Codec): codec is CustomCodec {
  return 'decodeUnpruned' in codec;
}

function decode(text: string, schema: StructuralSchema): Decoded {
  const { value, strictErrors } = readObject(text);
  const { unknown } = coerceMetadata(value, '');
  const embedded = coerceEmbedded(value, schema, '');
  const removed = prune(value, schema);
  const others = [...new Set([...removed, ...embedded])].sort(byBytes);
  const named = [...unknown, ...others].map(path => `unknown field "${path}"`);
  return { value, strictErrors: [...strictErrors, ...named].slice(0, strictLimit) };
}

function readObject(text: string): { value: ValueMap; strictErrors: readonly string[] } {
  let read: { readonly value: Value; readonly strictErrors: readonly string[] };
  try {
    read = readUnstructuredStrict(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof JsonTypeError) throw new DecodeError(error.message);
    throw error;
  }
  if (!isMap(read.value)) throw new DecodeError('the object is no map');
  return { value: read.value, strictErrors: read.strictErrors };
}

function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
