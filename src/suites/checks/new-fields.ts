import { definitionOf } from '../../apiserver/call/definitions.js';
import { resourceOfKind, servedBy } from '../../apiserver/call/served-resources.js';
import { memberSchema, structuralSchemaOf } from '../../apiserver/objects/structural-schema.js';
import { pointerToken } from '../../encoding/json-pointer.js';
import { isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { Schema } from '../../kubernetes/schema.js';
import { kindOf } from '../../kubernetes/storage.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';

type StructuralSchema = ReturnType<typeof structuralSchemaOf>;

/** Name of the added field, which no version of Kubernetes uses. */
export const newField = 'fieldOfANewerVersion';

/** An object with declared fields, where a newer version of its type could have an additional one. */
export interface FieldedObject {
  /** Its JSON pointer, empty for the whole object. */
  readonly path: string;
  readonly object: ValueMap;
}

/**
 * Parts of an object whose fields are declared by the table of Kubernetes types or the custom resource's definition; not maps with
 * arbitrary keys. Excludes metadata, which does not change, and everything the call does not change: the status, or everything except the
 * status.
 */
export function fieldedObjects(
  object: ValueMap,
  { state, subresource }: { readonly state: ClusterState; readonly subresource: string },
): FieldedObject[] {
  return partsOf(object, state).filter(({ path }) => isInStatus(path) === (subresource === 'status'));
}

function partsOf(object: ValueMap, state: ClusterState): FieldedObject[] {
  const kind = kindOf(object);
  const builtIn = schemaOfKind(state.server, kind);
  if (builtIn !== undefined) return inBuiltIn(object, builtIn, '');
  const resource = resourceOfKind(servedBy(state), kind);
  const definition = resource === undefined ? undefined : definitionOf(resource, state);
  return definition === undefined ? [] : inCustom(object, structuralSchemaOf(definition, kind.version), '');
}

function inBuiltIn(value: Value, schema: Schema, path: string): FieldedObject[] {
  if (schema.type === 'list' && isList(value)) return value.flatMap((item, i) => inBuiltIn(item, schema.items, `${path}/${i}`));
  if (!isMap(value)) return [];
  if (schema.type === 'map') return [...value].flatMap(([key, member]) => inBuiltIn(member, schema.values, below(path, key)));
  if (schema.type !== 'struct' || schema.name === 'meta/v1.ObjectMeta') return [];
  const members = [...value].flatMap(([key, member]) => {
    const field = schema.fieldsByName.get(key);
    return field === undefined ? [] : inBuiltIn(member, field.schema, below(path, key));
  });
  return [{ path, object: value }, ...members];
}

function inCustom(value: Value, schema: StructuralSchema, path: string): FieldedObject[] {
  if (isList(value)) return value.flatMap((item, i) => (schema.items === undefined ? [] : inCustom(item, schema.items, `${path}/${i}`)));
  if (!isMap(value)) return [];
  const members = [...value].flatMap(([key, member]) => {
    const known = memberSchema(schema, key);
    return known === undefined || isMetadata(path, key) ? [] : inCustom(member, known, below(path, key));
  });
  return schema.additionalProperties === undefined && (schema.properties.size > 0 || path === '')
    ? [{ path, object: value }, ...members]
    : members;
}

function isInStatus(path: string): boolean {
  return path === '/status' || path.startsWith('/status/');
}

function isMetadata(path: string, key: string): boolean {
  return path === '' && key === 'metadata';
}

function below(path: string, key: string): string {
  return `${path}/${pointerToken(key)}`;
}
