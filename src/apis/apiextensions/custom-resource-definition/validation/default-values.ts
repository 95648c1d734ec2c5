import { coerceEmbedded } from '../../../../apiserver/objects/custom/coerce-metadata.js';
import { prune, pruneTo } from '../../../../apiserver/objects/custom/prune.js';
import type { StructuralSchema } from '../../../../apiserver/objects/custom/structural-schema.js';
import { embeddedResourceErrors } from '../../../../apiserver/registry/custom/embedded-resources.js';
import { ruleValidator } from '../../../../apiserver/registry/custom/rule-loader.js';
import { hasRules } from '../../../../apiserver/registry/custom/rules/has-rules.js';
import { defaultErrors } from '../../../../apiserver/registry/custom/schema-validator.js';
import { otherMembers } from '../../../../cel/schema/rule-schema.js';
import { shownValue } from '../../../../encoding/shown-value.js';
import { readUnstructured } from '../../../../encoding/unstructured.js';
import { writeValue } from '../../../../go/json/write.js';
import { copyOf, isMap, isRawJson, sameValue, type Value } from '../../../../go/value.js';
import { type FieldError, invalidValue } from '../../../../kubernetes/field-error.js';

export interface DefaultOptions {
  /** Whether defaults must not have fields that are unknown to their schema. */
  readonly requiresPruned: boolean;
  readonly isRoot?: boolean;
}

/**
 * Returns the errors of defaults that their own schema refuses. Defaults in metadata are not checked. Source: apiextensions-apiserver
 * schema/defaulting/validation.go ValidateDefaults.
 */
export function defaultValueErrors(schema: StructuralSchema, path: string, options: DefaultOptions): FieldError[] {
  const errors = schema.default === undefined ? [] : errorsOf(schema.default, schema, { path: `${path}.default`, ...options });
  const below = { ...options, isRoot: false };
  if (schema.items !== undefined) errors.push(...defaultValueErrors(schema.items, `${path}.items`, below));
  const isObject = (options.isRoot ?? true) || schema.embeddedResource;
  for (const [name, property] of schema.properties) {
    if (isObject && ofObjects.has(name)) continue;
    errors.push(...defaultValueErrors(property, `${path}.properties[${name}]`, below));
  }
  return errors;
}

/** Members of all objects, whose defaults are not checked. */
const ofObjects: ReadonlySet<string> = new Set(['metadata', 'apiVersion', 'kind']);

/** Coerces the metadata of embedded resources in defaults, in place: validation does so to the definition itself. */
export function coerceDefaults(schema: StructuralSchema, isRoot = true): void {
  coerceDefault(schema);
  if (schema.items !== undefined) coerceDefaults(schema.items, false);
  const isObject = isRoot || schema.embeddedResource;
  for (const [name, property] of schema.properties) if (!isObject || !ofObjects.has(name)) coerceDefaults(property, false);
}

function coerceDefault(schema: StructuralSchema): void {
  const given = schema.default;
  if (!isRawJson(given)) return;
  const value = readUnstructured(given.rawJson);
  coerceEmbedded(value, schema, false);
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

interface DefaultPlace {
  readonly path: string;
  readonly requiresPruned: boolean;
}

function errorsOf(value: Value, schema: StructuralSchema, { path, requiresPruned }: DefaultPlace): FieldError[] {
  const errors: FieldError[] = [];
  if (requiresPruned && !isPruned(value, schema)) errors.push(invalidValue(path, shownValue(value), 'must not have unknown fields'));
  const embedded = embeddedResourceErrors(value, schema, path);
  if (embedded.length > 0) return [...errors, ...embedded];
  const wrong = defaultErrors(value, schema.source, path);
  if (wrong.length > 0) return [...errors, ...wrong];
  if (!hasRules(schema)) return errors;
  const rules = (old: Value | undefined): FieldError[] =>
    ruleValidator()(value, old, schema, { path, isResourceRoot: false, warn: () => undefined });
  const unchanged = rules(value);
  return [...errors, ...(unchanged.length > 0 ? unchanged : rules(undefined))];
}
