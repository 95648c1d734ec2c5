import { structural } from '../../../../apiserver/objects/custom/structural-schema.js';
import { isMap, stringAt, type Value, type ValueMap } from '../../../../go/value.js';
import { hasUnprunedDefault } from './default-values.js';
import { itemErrors, setErrors } from './list-type-rules.js';
import { someSchema } from './some-schema.js';
import { isStructural } from './structural-form.js';

/**
 * What schemas are asked for. An update is not asked for what the stored definition does not give, whatever it changes. Source:
 * apiextensions-apiserver validation.go validationOptions, ValidateCustomResourceDefinitionUpdate.
 */
export interface Requirements {
  /** All versions have a schema. */
  readonly schemas: boolean;
  readonly structural: boolean;
  readonly knownTypes: boolean;
  readonly prunedDefaults: boolean;
  /** Items of sets are compared as wholes. */
  readonly atomicSets: boolean;
  /** Keys of maps that are written as lists are there and not null, and so are the items of these and of sets. */
  readonly presentKeys: boolean;
}

/** The types that schemas can name. */
export const knownTypes = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** What the schemas of a definition's versions are asked for. `before`: those that are stored; `isPruned`: unknown fields are dropped. */
export function requirementsOf(schemas: Schemas, before: Schemas, isPruned: boolean): Requirements {
  const given = (lacks: (schema: ValueMap) => boolean): boolean => !before.some(schema => someSchema(schema, lacks));
  return {
    schemas: before.every(isMap),
    structural: isPruned || schemas.some(needsStructure) || before.every(schema => !isMap(schema) || isStructural(schema)),
    knownTypes: given(schema => stringAt(schema, 'type') !== '' && !knownTypes.includes(stringAt(schema, 'type'))),
    prunedDefaults: !before.some(schema => isMap(schema) && hasUnprunedDefaults(schema)),
    atomicSets: given(schema => setErrors(schema, '').length > 0),
    presentKeys: given(schema => itemErrors(schema, '').length > 0),
  };
}

/** By version; undefined for a version without one. */
type Schemas = readonly (Value | undefined)[];

const extensions = ['embedded-resource', 'preserve-unknown-fields', 'int-or-string', 'list-map-keys', 'list-type', 'validations'];

/** Defaults and what goes beyond OpenAPI make sense in structural schemas only. */
function needsStructure(schema: Value | undefined): boolean {
  return someSchema(schema, inner => inner.has('default') || extensions.some(name => inner.has(`x-kubernetes-${name}`)));
}

function hasUnprunedDefaults(schema: ValueMap): boolean {
  return someSchema(schema, inner => inner.has('default')) && isStructural(schema) && hasUnprunedDefault(structural(schema));
}
