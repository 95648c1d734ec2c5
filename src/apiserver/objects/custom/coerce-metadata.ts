import { writeValue } from '../../../encoding/go-json.js';
import { readUnstructured } from '../../../encoding/unstructured.js';
import { structNamed } from '../../../kubernetes/type-table.js';
import { isList, isMap, type Value, type ValueMap } from '../../../kubernetes/value.js';
import { DecodeError } from '../codec.js';
import { decodeTyped } from '../decode-typed.js';
import { encodeTyped } from '../encode-typed.js';
import { memberSchema, type StructuralSchema } from './structural-schema.js';

/** What coercion found. */
export interface Coerced {
  /** Paths that metadata does not know. */
  readonly unknown: readonly string[];
}

/**
 * Reads the metadata of an object into Go's ObjectMeta and writes it back: unknown members go, empty maps too, times are
 * made canonical. Throws DecodeError for wrong types. Source: apiextensions-apiserver schema/objectmeta.
 */
export function coerceMetadata(object: ValueMap, path: string): Coerced {
  const metadata = object.get('metadata');
  if (metadata === undefined || metadata === null) {
    object.delete('metadata');
    return { unknown: [] };
  }
  const schema = structNamed('meta/v1.ObjectMeta');
  const { value, strictErrors } = decodeTyped(writeValue(metadata, 'kept'), schema);
  const coerced = readUnstructured(encodeTyped(value, schema));
  object.set('metadata', coerced);
  const unknown = strictErrors.flatMap(text => /^unknown field "(.*)"$/.exec(text)?.[1] ?? []);
  return { unknown: unknown.map(name => `${path}metadata.${name}`) };
}

/** The same for every embedded resource below an object. Where metadata has a wrong type it is dropped. */
export function coerceEmbedded(value: Value, schema: StructuralSchema, path: string): string[] {
  const unknown: string[] = [];
  const below = (member: Value, memberPath: string, of: StructuralSchema): void => {
    if (of.embeddedResource && isMap(member)) unknown.push(...coerceOne(member, memberPath));
    unknown.push(...coerceEmbedded(member, of, memberPath));
  };
  if (isMap(value)) {
    for (const [name, member] of value) {
      const of = memberSchema(schema, name);
      if (of !== undefined) below(member, path === '' ? name : `${path}.${name}`, of);
    }
  } else if (isList(value) && schema.items !== undefined) {
    for (const [i, item] of value.entries()) below(item, `${path}[${i}]`, schema.items);
  }
  return unknown;
}

function coerceOne(object: ValueMap, path: string): readonly string[] {
  try {
    return coerceMetadata(object, `${path}.`).unknown;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    object.delete('metadata');
    return [];
  }
}
