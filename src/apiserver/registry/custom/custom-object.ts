import { type FieldError, invalidValue } from '../../../kubernetes/field-error.js';
import { apiVersionOf } from '../../../kubernetes/group-version.js';
import type { Resource } from '../../../kubernetes/resource-table.js';
import { isMap, listAt, stringAt, type Value, type ValueMap } from '../../../kubernetes/value.js';
import type { StructuralSchema } from '../../objects/custom/structural-schema.js';
import { objectMetaChanges, objectMetaErrors, objectMetaUpdateErrors } from '../validation/object-meta.js';
import { type Correlated, correlatedMember } from './correlated.js';
import { embeddedResourceErrors } from './embedded-resources.js';
import { listTypeErrors } from './list-types.js';
import { scaleErrors } from './scale-paths.js';
import { schemaErrors } from './schema-validator.js';

/** What a definition says of the objects of one version. */
export interface CustomRules {
  readonly resource: Resource;
  readonly schema: StructuralSchema;
  /** `subresources.scale`. */
  readonly scale: ValueMap | undefined;
}

/** A new custom resource. Source: apiextensions-apiserver registry/customresource/strategy.go Validate. */
export function customObjectErrors(object: ValueMap, { resource, schema, scale }: CustomRules): FieldError[] {
  const wrongType = typeMetaErrors(object, resource);
  const own =
    wrongType.length > 0
      ? wrongType
      : [...objectMetaErrors(object, resource), ...schemaErrors(object, schema.source, undefined), ...scaleErrors(object, scale, 'all')];
  return withoutRules([...own, ...embeddedResourceErrors(object, schema), ...listTypeErrors(object, schema)], schema);
}

/** A changed custom resource. Source: strategy.go ValidateUpdate. */
export function customUpdateErrors(object: ValueMap, old: ValueMap, { resource, schema, scale }: CustomRules): FieldError[] {
  const wrongType = typeMetaErrors(object, resource);
  const own =
    wrongType.length > 0
      ? wrongType
      : [
          ...objectMetaUpdateErrors(object, old, resource),
          ...objectMetaChanges(object, old),
          ...schemaErrors(object, schema.source, { value: object, old, schema }),
          ...scaleErrors(object, scale, 'all'),
        ];
  return withoutRules([...own, ...embeddedResourceErrors(object, schema), ...listErrorsOfUpdate(object, old, schema)], schema);
}

/** A changed status: only what is in it is looked at. Source: status_strategy.go ValidateUpdate. */
export function customStatusErrors(object: ValueMap, old: ValueMap, { resource, schema, scale }: CustomRules): FieldError[] {
  const wrongType = typeMetaErrors(object, resource);
  const own =
    wrongType.length > 0
      ? wrongType
      : [
          ...objectMetaUpdateErrors(object, old, resource),
          ...objectMetaChanges(object, old),
          ...statusErrors(object, old, schema),
          ...scaleErrors(object, scale, 'status'),
        ];
  return withoutRules([...own, ...listErrorsOfUpdate(object, old, schema)], schema);
}

function statusErrors(object: ValueMap, old: ValueMap, schema: StructuralSchema): FieldError[] {
  const status: Value | undefined = object.get('status');
  const of = schema.properties.get('status');
  if (status === undefined || of === undefined) return [];
  const correlated: Correlated | undefined = correlatedMember({ value: object, old, schema }, 'status');
  return schemaErrors(status, of.source, correlated, 'status');
}

/** Lists that were wrong before may stay so. */
function listErrorsOfUpdate(object: ValueMap, old: ValueMap, schema: StructuralSchema): FieldError[] {
  const errors = listTypeErrors(object, schema);
  return errors.length > 0 && listTypeErrors(old, schema).length > 0 ? [] : errors;
}

function typeMetaErrors(object: ValueMap, resource: Resource): FieldError[] {
  const errors: FieldError[] = [];
  const kind = stringAt(object, 'kind');
  const apiVersion = stringAt(object, 'apiVersion');
  const wanted = apiVersionOf(resource);
  if (kind !== resource.kind.kind) errors.push(invalidValue('kind', kind, `must be ${resource.kind.kind}`));
  if (apiVersion !== wanted) errors.push(invalidValue('apiVersion', apiVersion, `must be ${wanted}`));
  return errors;
}

/** Errors that keep the rules of a schema from being looked at. */
const blocking: ReadonlySet<FieldError['type']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
] as const);

function withoutRules(errors: FieldError[], schema: StructuralSchema): FieldError[] {
  if (!hasRules(schema) || !errors.some(e => blocking.has(e.type))) return errors;
  const words = 'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
  return [...errors, invalidValue('<nil>', null, words)];
}

/** Has a schema rules in CEL, anywhere? */
export function hasRules(schema: StructuralSchema): boolean {
  if (listAt(schema.source, 'x-kubernetes-validations').length > 0) return true;
  const below = [...schema.properties.values(), schema.items, schema.additionalProperties];
  return below.some(s => typeof s === 'object' && isMap(s.source) && hasRules(s));
}
