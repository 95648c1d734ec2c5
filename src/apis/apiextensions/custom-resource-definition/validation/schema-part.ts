import { structural } from '../../../../apiserver/objects/structural-schema.js';
import { stringAt, type ValueMap } from '../../../../go/value.js';
import type { ApiServer } from '../../../../kubernetes/api-server.js';
import { type FieldError, forbiddenField, invalidValue } from '../../../../kubernetes/field-error.js';
import { defaultValueErrors } from './default-values.js';
import { internalFieldsOf, internalSchema } from './internal-form.js';
import { openApiSchemaErrors } from './open-api-schema.js';
import type { Requirements } from './requirements.js';
import { rootContext } from './rule-context.js';
import { totalCostErrors } from './rule-costs.js';
import { structuralFormErrors, structureFault } from './structural-form.js';

/** Context of a schema. */
export interface SchemaPart {
  readonly path: string;
  /** Whether objects with this schema have a status subresource. */
  readonly hasStatus: boolean;
  /** Whether an update keeps the schema. */
  readonly isUnchanged: boolean;
  readonly requires: Requirements;
}

/** Validates one schema of a definition. Source: apiextensions-apiserver validation.go validateCustomResourceDefinitionValidation. */
export function schemaPartErrors(
  server: ApiServer,
  schema: ValueMap,
  { path, hasStatus, isUnchanged, requires }: SchemaPart,
): FieldError[] {
  const errors = hasStatus ? rootErrors(schema, path) : [];
  if (schema.get('nullable') === true) errors.push(forbiddenField(`${path}.nullable`, 'nullable cannot be true at the root'));
  const fault = requires.structural ? structureFault(schema) : undefined;
  const hasShape = requires.structural && fault === undefined;
  const form = hasShape ? structuralFormErrors(schema, path) : [];
  const hasForm = hasShape && form.length === 0;
  const defaults = hasForm ? defaultValueErrors(server, structural(schema), path, { requiresPruned: requires.prunedDefaults }) : [];
  const rules = hasForm && defaults.length === 0 ? rootContext(server, schema) : undefined;
  const found = openApiSchemaErrors(schema, {
    ...{ path, isRoot: true, insideMeta: false, noDefaults: undefined, uncorrelated: undefined },
    ...{ rules, mayExceedLimit: isUnchanged, requires },
  });
  const refused = [...errors, ...form, ...defaults, ...found.schema, ...found.rules];
  // Most of these members have been refused above, one by one.
  if (fault !== undefined && refused.length === 0) refused.push(invalidValue(path, '', fault));
  const total = rules === undefined ? [] : totalCostErrors(rules.costs, path);
  return [...refused, ...total];
}

const atRoot = [
  ...['Description', 'Type', 'Format', 'Title', 'Maximum', 'ExclusiveMaximum', 'Minimum', 'ExclusiveMinimum', 'MaxLength', 'MinLength'],
  ...['Pattern', 'MaxItems', 'MinItems', 'UniqueItems', 'MultipleOf', 'Required', 'Items', 'Properties', 'ExternalDocs', 'Example'],
  ...['XPreserveUnknownFields', 'XValidations'],
];

/**
 * Validates the root of a schema. A status is validated by its own part of the schema alone, so nothing may be specified above it. The
 * first invalid member is reported.
 */
function rootErrors(schema: ValueMap, path: string): FieldError[] {
  const type = stringAt(schema, 'type');
  for (const name of internalFieldsOf(schema)) {
    if (name === 'Type' && type !== 'object') {
      const message = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      return [invalidValue(`${path}.type`, type, message)];
    }
    if (atRoot.includes(name)) continue;
    const message = `only [${atRoot.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
    return [invalidValue(path, { rawJson: internalSchema(schema) }, message)];
  }
  return [];
}
