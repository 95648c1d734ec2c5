import { aggregate } from '../../../../apiserver/admission/name-in-refusal.js';
import { DecodeError } from '../../../../apiserver/objects/codec.js';
import { coerceEmbedded } from '../../../../apiserver/objects/coerce-metadata.js';
import { prune, pruneTo } from '../../../../apiserver/objects/prune.js';
import type { StructuralSchema } from '../../../../apiserver/objects/structural-schema.js';
import { embeddedResourceErrors } from '../../../../apiserver/registry/custom/embedded-resources.js';
import { hasRules } from '../../../../apiserver/registry/custom/rules/has-rules.js';
import { ruleErrors } from '../../../../apiserver/registry/custom/rules/validate-rules.js';
import { defaultErrors } from '../../../../apiserver/registry/custom/schema-validator.js';
import { otherMembers } from '../../../../cel/schema/rule-schema.js';
import { shownValue } from '../../../../encoding/shown-value.js';
import { readUnstructured } from '../../../../encoding/unstructured.js';
import { writeValue } from '../../../../go/json/write.js';
import { copyOf, isMap, isRawJson, sameValue, type Value } from '../../../../go/value.js';
import type { ApiServer } from '../../../../kubernetes/api-server.js';
import { type FieldError, invalidValue, printFieldError } from '../../../../kubernetes/field-error.js';

export interface DefaultOptions {
  /** Whether defaults must not have fields that are unknown to their schema. */
  readonly requiresPruned: boolean;
}

/**
 * Returns the errors of defaults that their own schema refuses, or that make the metadata of their object invalid. Source:
 * apiextensions-apiserver schema/defaulting/validation.go ValidateDefaults.
 */
export function defaultValueErrors(
  server: ApiServer,
  schema: StructuralSchema,
  path: string,
  { requiresPruned }: DefaultOptions,
): FieldError[] {
  const root = { ...schema, embeddedResource: true };
  return errorsBelow(server, root, { path, requiresPruned, insideMeta: false, whole: root, objectAround: withType });
}

interface DefaultPlace {
  readonly path: string;
  readonly requiresPruned: boolean;
  /** Whether it is in the `metadata`, `kind` or `apiVersion` of a whole object. */
  readonly insideMeta: boolean;
  /** Schema of the whole object. */
  readonly whole: StructuralSchema;
  /** Returns the whole object with nothing but a value at this place. */
  readonly objectAround: (value: Value) => Value;
}

function withType(object: Value): Value {
  return new Map<string, Value>([['kind', 'Validation'], ['apiVersion', 'validation/v1'], ...(isMap(object) ? object : [])]);
}

function errorsBelow(server: ApiServer, schema: StructuralSchema, outer: DefaultPlace): FieldError[] {
  const place = schema.embeddedResource ? { ...outer, insideMeta: false, whole: schema, objectAround: withType } : outer;
  const { path, objectAround } = place;
  const errors = schema.default === undefined ? [] : errorsOf(server, schema.default, schema, { ...place, path: `${path}.default` });
  if (schema.items !== undefined)
    errors.push(...errorsBelow(server, schema.items, { ...place, path: `${path}.items`, objectAround: item => objectAround([item]) }));
  for (const [name, property] of schema.properties) {
    const below = {
      ...{ path: `${path}.properties[${name}]`, objectAround: (value: Value) => objectAround(new Map([[name, value]])) },
      insideMeta: place.insideMeta || (schema.embeddedResource && ofObjects.has(name)),
    };
    errors.push(...errorsBelow(server, property, { ...place, ...below }));
  }
  return errors;
}

/** Members of all objects. */
const ofObjects: ReadonlySet<string> = new Set(['metadata', 'apiVersion', 'kind']);

/** Coerces the metadata of embedded resources in defaults, in place: validation does so to the definition itself. */
export function coerceDefaults(server: ApiServer, schema: StructuralSchema, isRoot = true): void {
  coerceDefault(server, schema);
  if (schema.items !== undefined) coerceDefaults(server, schema.items, false);
  const isObject = isRoot || schema.embeddedResource;
  for (const [name, property] of schema.properties) if (!isObject || !ofObjects.has(name)) coerceDefaults(server, property, false);
}

function coerceDefault(server: ApiServer, schema: StructuralSchema): void {
  const given = schema.default;
  if (!isRawJson(given)) return;
  const value = readUnstructured(given.rawJson);
  coerceEmbedded(server, value, schema, false);
  const rawJson = writeValue(value, 'sorted');
  if (rawJson !== given.rawJson) schema.source.set('default', { rawJson });
}

/** Reports whether a schema, or a nested one, has a default with unknown fields. Source: schema/defaulting/prune.go PruneDefaults. */
export function hasUnprunedDefault(schema: StructuralSchema): boolean {
  if (schema.default !== undefined && !isPruned(schema.default, schema)) return true;
  const below = [schema.items, otherMembers(schema), ...schema.properties.values()];
  return below.some(inner => inner !== undefined && hasUnprunedDefault(inner));
}

function isPruned(value: Value, schema: StructuralSchema): boolean {
  const pruned = copyOf(value);
  if (schema.embeddedResource && isMap(pruned)) prune(pruned, schema);
  else pruneTo(pruned, schema);
  return sameValue(pruned, value);
}

function errorsOf(server: ApiServer, value: Value, schema: StructuralSchema, place: DefaultPlace): FieldError[] {
  const { path } = place;
  const errors = place.insideMeta ? [] : pruningErrors(value, schema, place);
  const embedded = place.insideMeta ? metadataErrors(server, value, place) : embeddedResourceErrors(server, value, schema, path);
  if (embedded.length > 0) return [...errors, ...embedded];
  const wrong = defaultErrors(server, value, schema.source, path);
  if (wrong.length > 0) return [...errors, ...wrong];
  if (!hasRules(schema)) return errors;
  const rules = (old: Value | undefined): FieldError[] =>
    ruleErrors(value, old, schema, { server, path, isResourceRoot: false, warn: () => undefined });
  const unchanged = rules(value);
  return [...errors, ...(unchanged.length > 0 ? unchanged : rules(undefined))];
}

function pruningErrors(value: Value, schema: StructuralSchema, { path, requiresPruned }: DefaultPlace): FieldError[] {
  return requiresPruned && !isPruned(value, schema) ? [invalidValue(path, shownValue(value), 'must not have unknown fields')] : [];
}

/** Validates the metadata of an object with this default. */
function metadataErrors(server: ApiServer, value: Value, { path, whole, objectAround }: DefaultPlace): FieldError[] {
  const refuse = (message: string): FieldError[] => [invalidValue(path, shownValue(value), `must result in valid metadata: ${message}`)];
  const object = objectAround(copyOf(value));
  try {
    coerceEmbedded(server, object, whole, false);
  } catch (error) {
    if (error instanceof DecodeError) return refuse(error.message);
    throw error;
  }
  const errors = embeddedResourceErrors(server, object, whole);
  return errors.length === 0 ? [] : refuse(aggregate(errors.map(printFieldError)));
}
