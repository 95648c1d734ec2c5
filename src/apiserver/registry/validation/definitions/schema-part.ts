import { type FieldError, forbiddenField, invalidValue } from '../../../../kubernetes/field-error.js';
import { isList, isMap, listAt, mapAt, stringAt, type Value, type ValueMap } from '../../../../kubernetes/value.js';
import { structural } from '../../../objects/custom/structural-schema.js';
import { defaultValueErrors } from './default-values.js';
import { internalFieldsOf, internalSchema } from './internal-form.js';
import { openApiSchemaErrors } from './open-api-schema.js';
import { rootContext } from './rule-context.js';
import { totalCostErrors } from './rule-costs.js';
import { structuralFormErrors } from './structural-form.js';

/** What must be known of a schema beside itself. */
export interface SchemaPart {
  readonly path: string;
  /** Have objects with this schema a status of their own? */
  readonly hasStatus: boolean;
  /** An update leaves the schema as it is. */
  readonly isUnchanged: boolean;
}

/**
 * What is wrong with one schema of a definition; of one that an update leaves as it is, only what its rules say, and any of them may cost
 * what it will. Source: apiextensions-apiserver validation.go validateCustomResourceDefinitionValidation.
 */
export function schemaPartErrors(schema: ValueMap, { path, hasStatus, isUnchanged }: SchemaPart): FieldError[] {
  const errors = hasStatus ? rootErrors(schema, path) : [];
  if (schema.get('nullable') === true) errors.push(forbiddenField(`${path}.nullable`, 'nullable cannot be true at the root'));
  const hasShape = !hasUnsupported(schema);
  const form = hasShape ? structuralFormErrors(schema, path) : [];
  const defaults = hasShape && form.length === 0 ? defaultValueErrors(structural(schema), path) : [];
  const rules = hasShape && form.length === 0 && defaults.length === 0 ? rootContext(schema) : undefined;
  const found = openApiSchemaErrors(schema, {
    ...{ path, isRoot: true, insideMeta: false, noDefaults: undefined, uncorrelated: undefined },
    ...{ rules, mayExceedLimit: isUnchanged },
  });
  const inRules = [...found.rules, ...(rules === undefined ? [] : totalCostErrors(rules.costs, path))];
  return isUnchanged ? inRules : [...errors, ...form, ...defaults, ...found.schema, ...inRules];
}

const atRoot = [
  ...['Description', 'Type', 'Format', 'Title', 'Maximum', 'ExclusiveMaximum', 'Minimum', 'ExclusiveMinimum', 'MaxLength', 'MinLength'],
  ...['Pattern', 'MaxItems', 'MinItems', 'UniqueItems', 'MultipleOf', 'Required', 'Items', 'Properties', 'ExternalDocs', 'Example'],
  ...['XPreserveUnknownFields', 'XValidations'],
];

/** A status is validated by its own part of the schema alone: nothing may be said above that. The first wrong member is told. */
function rootErrors(schema: ValueMap, path: string): FieldError[] {
  const type = stringAt(schema, 'type');
  for (const name of internalFieldsOf(schema)) {
    if (name === 'Type' && type !== 'object') {
      const words = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      return [invalidValue(`${path}.type`, type, words)];
    }
    if (atRoot.includes(name)) continue;
    const words = `only [${atRoot.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
    return [invalidValue(path, { rawJson: internalSchema(schema) }, words)];
  }
  return [];
}

/** Members with which a schema has no structure at all: they are refused one by one. */
const withoutStructure = ['id', '$schema', '$ref', 'patternProperties', 'dependencies', 'additionalItems', 'definitions'];

function hasUnsupported(schema: Value | undefined): boolean {
  if (!isMap(schema)) return false;
  if (isList(schema.get('items')) || schema.get('x-kubernetes-preserve-unknown-fields') === false) return true;
  if (withoutStructure.some(name => schema.has(name))) return true;
  const members = [...(mapAt(schema, 'properties')?.values() ?? [])];
  const branches = ['allOf', 'anyOf', 'oneOf'].flatMap(name => listAt(schema, name));
  return [...members, ...branches, schema.get('items'), schema.get('additionalProperties'), schema.get('not')].some(hasUnsupported);
}
