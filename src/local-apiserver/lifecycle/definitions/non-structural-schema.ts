import { hasStructure, structuralFormErrors } from '../../../apis/apiextensions/custom-resource-definition/validation/structural-form.js';
import { listAt, mapAt, type ValueMap, valueAt } from '../../../go/value.js';
import { invalidValue, printFieldErrors } from '../../../kubernetes/field-error.js';
import { conditionOf, type DefinitionCondition, hasCondition, withCondition, withoutCondition } from './conditions.js';

const type = 'NonStructuralSchema';

/**
 * Returns the definition with or without its condition for schemas that are not structural, which are older than v1 of the API; undefined
 * if its status is up to date, and for a schema without any structure, whose message is not reproduced. Source: apiextensions-apiserver
 * pkg/controller/nonstructuralschema/nonstructuralschema_controller.go.
 */
export function withStructureCondition(definition: ValueMap, now: Date): ValueMap | undefined {
  const schemas = listAt(definition, 'spec', 'versions').map(version => mapAt(version, 'schema', 'openAPIV3Schema'));
  if (schemas.some(schema => schema !== undefined && !hasStructure(schema))) return undefined;
  const condition = conditionFor(definition, schemas);
  if (condition !== undefined) return hasCondition(definition, condition) ? undefined : withCondition(definition, condition, now);
  return conditionOf(definition, type) === undefined ? undefined : withoutCondition(definition, type);
}

function conditionFor(definition: ValueMap, schemas: readonly (ValueMap | undefined)[]): DefinitionCondition | undefined {
  const errors = schemas.flatMap((schema, i) =>
    schema === undefined ? [] : structuralFormErrors(schema, `spec.versions[${i}].schema.openAPIV3Schema`),
  );
  if (valueAt(definition, 'spec', 'preserveUnknownFields') === true)
    errors.unshift(invalidValue('spec.preserveUnknownFields', true, 'must be false'));
  return errors.length === 0 ? undefined : { type, status: 'True', reason: 'Violations', message: printFieldErrors(errors) };
}
