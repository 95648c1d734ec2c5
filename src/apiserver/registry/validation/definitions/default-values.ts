import { shownValue } from '../../../../encoding/shown-value.js';
import { type FieldError, invalidValue } from '../../../../kubernetes/field-error.js';
import { copyOf, isMap, sameValue, type Value } from '../../../../kubernetes/value.js';
import { prune, pruneTo } from '../../../objects/custom/prune.js';
import type { StructuralSchema } from '../../../objects/custom/structural-schema.js';
import { embeddedResourceErrors } from '../../custom/embedded-resources.js';
import { hasRules, ruleValidator } from '../../custom/rule-loader.js';
import { schemaErrors } from '../../custom/schema-validator.js';

/**
 * Defaults that their own schema would refuse. Those inside of metadata are not looked at. Source: apiextensions-apiserver
 * schema/defaulting/validation.go ValidateDefaults.
 */
export function defaultValueErrors(schema: StructuralSchema, path: string, isRoot = true): FieldError[] {
  const errors = schema.default === undefined ? [] : errorsOf(schema.default, schema, `${path}.default`);
  if (schema.items !== undefined) errors.push(...defaultValueErrors(schema.items, `${path}.items`, false));
  const isObject = isRoot || schema.embeddedResource;
  for (const [name, property] of schema.properties) {
    if (isObject && ['metadata', 'apiVersion', 'kind'].includes(name)) continue;
    errors.push(...defaultValueErrors(property, `${path}.properties[${name}]`, false));
  }
  return errors;
}

function errorsOf(value: Value, schema: StructuralSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const pruned = copyOf(value);
  if (schema.embeddedResource && isMap(pruned)) prune(pruned, schema);
  else pruneTo(pruned, schema);
  if (!sameValue(pruned, value)) errors.push(invalidValue(path, shownValue(value), 'must not have unknown fields'));
  const embedded = embeddedResourceErrors(value, schema, path);
  if (embedded.length > 0) return [...errors, ...embedded];
  const wrong = schemaErrors(value, schema.source, undefined, path);
  if (wrong.length > 0) return [...errors, ...wrong];
  if (!hasRules(schema)) return errors;
  const rules = (old: Value | undefined): FieldError[] =>
    ruleValidator()(value, old, schema, { path, isResourceRoot: false, warn: () => undefined });
  const unchanged = rules(value);
  return [...errors, ...(unchanged.length > 0 ? unchanged : rules(undefined))];
}
