import { stringAt, type Value, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { type FieldError, invalidValue } from '../../../kubernetes/field-error.js';
import { apiVersionOf } from '../../../kubernetes/group-version.js';
import type { Resource } from '../../../kubernetes/resource-table.js';
import type { StructuralSchema } from '../../objects/custom/structural-schema.js';
import { objectMetaChanges, objectMetaErrors, objectMetaUpdateErrors } from '../validation/object-meta.js';
import { type Correlated, correlatedMember } from './correlated.js';
import { embeddedResourceErrors } from './embedded-resources.js';
import { listTypeErrors } from './list-types.js';
import { metadataTypeErrors } from './metadata-types.js';
import { hasRules } from './rules/has-rules.js';
import { ruleErrors } from './rules/validate-rules.js';
import { scaleErrors } from './scale-paths.js';
import { schemaErrors } from './schema-validator.js';

/** Rules of a definition for the objects of one version. */
export interface CustomRules {
  readonly server: ApiServer;
  readonly resource: Resource;
  readonly schema: StructuralSchema;
  /** `subresources.scale`. */
  readonly scale: ValueMap | undefined;
  /** Receives warnings: rules that fail for unchanged values. */
  readonly warn: (text: string) => void;
}

/** Validates a new custom resource. Source: apiextensions-apiserver registry/customresource/strategy.go Validate. */
export function customObjectErrors(object: ValueMap, { server, resource, schema, scale, warn }: CustomRules): FieldError[] {
  const wrongType = typeMetaErrors(object, resource);
  const own =
    wrongType.length > 0
      ? wrongType
      : [
          ...orTypeErrors(server, object, () => objectMetaErrors(server, object, resource)),
          ...schemaErrors(object, schema.source, { server, correlated: undefined }),
          ...scaleErrors(object, scale, 'all'),
        ];
  const errors = [...own, ...embeddedResourceErrors(server, object, schema), ...listTypeErrors(object, schema)];
  return withRules(errors, schema, { server, object, old: undefined, warn });
}

/** Validates a changed custom resource. Source: strategy.go ValidateUpdate. */
export function customUpdateErrors(object: ValueMap, old: ValueMap, { server, resource, schema, scale, warn }: CustomRules): FieldError[] {
  const wrongType = typeMetaErrors(object, resource);
  const own =
    wrongType.length > 0
      ? wrongType
      : [
          ...orTypeErrors(server, object, () => [
            ...objectMetaUpdateErrors(server, object, old, resource),
            ...objectMetaChanges(server, object, old),
          ]),
          ...schemaErrors(object, schema.source, { server, correlated: { value: object, old, schema } }),
          ...scaleErrors(object, scale, 'all'),
        ];
  const errors = [...own, ...embeddedResourceErrors(server, object, schema), ...listErrorsOfUpdate(object, old, schema)];
  return withRules(errors, schema, { server, object, old, warn });
}

/** Validates a changed status, and nothing else. Source: status_strategy.go ValidateUpdate. */
export function customStatusErrors(object: ValueMap, old: ValueMap, { server, resource, schema, scale, warn }: CustomRules): FieldError[] {
  const wrongType = typeMetaErrors(object, resource);
  const own =
    wrongType.length > 0
      ? wrongType
      : [
          ...orTypeErrors(server, object, () => [
            ...objectMetaUpdateErrors(server, object, old, resource),
            ...objectMetaChanges(server, object, old),
          ]),
          ...statusErrors(server, object, old, schema),
          ...scaleErrors(object, scale, 'status'),
        ];
  return withRules([...own, ...listErrorsOfUpdate(object, old, schema)], schema, { server, object, old, warn });
}

function statusErrors(server: ApiServer, object: ValueMap, old: ValueMap, schema: StructuralSchema): FieldError[] {
  const status: Value | undefined = object.get('status');
  const of = schema.properties.get('status');
  if (status === undefined || of === undefined) return [];
  const correlated: Correlated | undefined = correlatedMember({ value: object, old, schema }, 'status');
  return schemaErrors(status, of.source, { server, correlated }, 'status');
}

/** Returns the error of metadata with a wrong type, or else those of its values. */
function orTypeErrors(server: ApiServer, object: ValueMap, others: () => FieldError[]): FieldError[] {
  const wrongTypes = metadataTypeErrors(server, object);
  return wrongTypes.length > 0 ? wrongTypes : others();
}

/** Returns list errors of an update; lists that were invalid before may stay so. */
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

/** Errors that prevent evaluating the rules of a schema. */
const blocking: ReadonlySet<FieldError['type']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
] as const);

/** Adds the errors of the rules, which are evaluated last, and only for otherwise valid objects. */
function withRules(errors: FieldError[], schema: StructuralSchema, { server, object, old, warn }: Checked): FieldError[] {
  if (!hasRules(schema)) return errors;
  if (!errors.some(e => blocking.has(e.type)))
    return [...errors, ...ruleErrors(object, old, schema, { server, path: '', isResourceRoot: true, warn })];
  const message =
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
  return [...errors, invalidValue('<nil>', null, message)];
}

interface Checked {
  readonly server: ApiServer;
  readonly object: ValueMap;
  readonly old: ValueMap | undefined;
  readonly warn: (text: string) => void;
}
