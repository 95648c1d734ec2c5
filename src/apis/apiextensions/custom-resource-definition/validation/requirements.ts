import { structural } from '../../../../apiserver/objects/structural-schema.js';
import { isMap, stringAt, type Value, type ValueMap } from '../../../../go/value.js';
import { hasUnprunedDefault } from './default-values.js';
import { itemErrors, type ListRequirements, setErrors } from './list-type-rules.js';
import { someSchema } from './some-schema.js';
import { isStructural } from './structural-form.js';

/**
 * Requirements for schemas. An update does not require what the stored definition violates, regardless of the change. Source:
 * apiextensions-apiserver validation.go validationOptions, ValidateCustomResourceDefinitionUpdate.
 */
export interface Requirements extends ListRequirements {
  /** Whether all versions need a schema. */
  readonly schemas: boolean;
  readonly structural: boolean;
  readonly knownTypes: boolean;
  readonly prunedDefaults: boolean;
}

/** Types that schemas can have. */
export const knownTypes = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/**
 * Returns the requirements for the schemas of a definition's versions. `before`: the stored ones; `isPruned`: unknown fields are dropped.
 */
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

/** Reports whether a structural schema is needed: for defaults and for extensions of OpenAPI. */
function needsStructure(schema: Value | undefined): boolean {
  return someSchema(schema, inner => inner.has('default') || extensions.some(name => inner.has(`x-kubernetes-${name}`)));
}

function hasUnprunedDefaults(schema: ValueMap): boolean {
  return someSchema(schema, inner => inner.has('default')) && isStructural(schema) && hasUnprunedDefault(structural(schema));
}
