import { shownValue } from '../../encoding/shown-value.js';
import { writeValue } from '../../go/json/write.js';
import { goTypeOf } from '../../go/print.js';
import { isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { invalidValue, printFieldError } from '../../kubernetes/field-error.js';
import { childPath, keyPath } from '../../kubernetes/field-path.js';
import { structNamed } from '../../kubernetes/type-table.js';
import { DecodeError } from './codec.js';
import { decodeTyped } from './decode-typed.js';
import type { StructuralSchema } from './structural-schema.js';
import { toUnstructured } from './to-unstructured.js';

/**
 * Converts the metadata of an object to Go's ObjectMeta and back: unknown fields and empty maps are removed, times become canonical.
 * Returns the unknown paths. Throws DecodeError for wrong types, unless these are to be dropped. Source: apiextensions-apiserver
 * schema/objectmeta/coerce.go.
 */
export function coerceMetadata(server: ApiServer, object: ValueMap, path: string, dropsInvalid: boolean): string[] {
  const metadata = object.get('metadata');
  if (metadata === undefined) return [];
  const schema = structNamed(server, 'meta/v1.ObjectMeta');
  const given = dropsInvalid ? withoutInvalid(server, metadata) : metadata;
  const { value, unknownPaths } = decodeTyped(writeValue(given, 'kept'), schema);
  object.set('metadata', toUnstructured(value, schema));
  return unknownPaths.map(name => `${childPath(path, 'metadata')}.${name}`);
}

/**
 * Coerces the metadata of every embedded resource below an object, which must also have a string apiVersion and kind. Returns the unknown
 * paths.
 */
export function coerceEmbedded(server: ApiServer, value: Value, schema: StructuralSchema, dropsInvalid: boolean, path = ''): string[] {
  if (isList(value)) {
    const { items } = schema;
    return items === undefined ? [] : value.flatMap((item, i) => coerceEmbedded(server, item, items, dropsInvalid, `${path}[${i}]`));
  }
  if (!isMap(value)) return [];
  const unknown = schema.embeddedResource ? coerceResource(server, value, path, dropsInvalid) : [];
  const { properties, additionalProperties: others } = schema;
  for (const [name, member] of value) {
    const named = properties.get(name);
    if (named !== undefined) unknown.push(...coerceEmbedded(server, member, named, dropsInvalid, childPath(path, name)));
    else if (typeof others === 'object') unknown.push(...coerceEmbedded(server, member, others, dropsInvalid, keyPath(path, name)));
  }
  return unknown;
}

function coerceResource(server: ApiServer, object: ValueMap, path: string, dropsInvalid: boolean): string[] {
  for (const name of ['apiVersion', 'kind']) {
    const value = object.get(name);
    if (value === undefined || typeof value === 'string') continue;
    if (!dropsInvalid) throw invalid(childPath(path, name), value, 'must be a string');
    object.delete(name);
  }
  const metadata = object.get('metadata');
  try {
    return coerceMetadata(server, object, path, dropsInvalid);
  } catch (error) {
    if (!(error instanceof DecodeError) || metadata === undefined) throw error;
    if (!dropsInvalid) throw invalid(childPath(path, 'metadata'), metadata, error.message);
    return [];
  }
}

function invalid(field: string, value: Value, message: string): DecodeError {
  return new DecodeError(printFieldError(invalidValue(field, shownValue(value), message)));
}

/** Drops invalid members, each tried separately. Throws DecodeError for metadata that is not an object. */
function withoutInvalid(server: ApiServer, metadata: Value): Value {
  if (metadata === null) return metadata;
  if (!isMap(metadata)) throw new DecodeError(`invalid metadata: expected object, got ${goTypeOf(metadata)}`);
  return new Map([...metadata].filter(([name, value]) => isReadable(server, new Map([[name, value]]))));
}

function isReadable(server: ApiServer, metadata: ValueMap): boolean {
  try {
    decodeTyped(writeValue(metadata, 'kept'), structNamed(server, 'meta/v1.ObjectMeta'));
    return true;
  } catch (error) {
    if (error instanceof DecodeError) return false;
    throw error;
  }
}
