import { shownValue } from '../../../encoding/shown-value.js';
import { writeValue } from '../../../go/json/write.js';
import { isList, isMap, stringAt, type Value, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { duplicate, type FieldError, invalidValue } from '../../../kubernetes/field-error.js';
import { childPath, keyPath } from '../../../kubernetes/field-path.js';
import { apiVersionOf } from '../../../kubernetes/group-version.js';
import type { Resource } from '../../../kubernetes/resource-table.js';
import type { Schema } from '../../../kubernetes/schema.js';
import { structNamed } from '../../../kubernetes/type-table.js';
import type { StructuralSchema } from '../../objects/structural-schema.js';
import { withDeclared } from '../declarative/merge-errors.js';
import { declaredMetadataErrors } from '../declarative/validate-declaratively.js';
import { objectMetaChanges, objectMetaErrors, objectMetaUpdateErrors } from '../object-meta.js';
import { embeddedResourceErrors } from './embedded-resources.js';
import { type Correlated, correlatedMember } from './rules/correlated.js';
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
            ...withDeclared(objectMetaChanges(server, object, old), declaredMetadataErrors(server, object, old)),
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
            ...withDeclared(objectMetaChanges(server, object, old), declaredMetadataErrors(server, object, old)),
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

/** Returns errors for duplicate items in lists of type set and map. Source: apiextensions-apiserver schema/listtype. */
function listTypeErrors(value: Value, schema: StructuralSchema, path = ''): FieldError[] {
  if (isList(value)) {
    const { items } = schema;
    const below = items === undefined ? [] : value.flatMap((item, i) => listTypeErrors(item, items, `${path}[${i}]`));
    return [...ownErrors(value, schema, path), ...below];
  }
  if (!isMap(value)) return [];
  const additional = schema.additionalProperties;
  const others = typeof additional === 'object' ? [...value].flatMap(([k, v]) => listTypeErrors(v, additional, keyPath(path, k))) : [];
  const named = [...value].flatMap(([k, v]) => {
    const of = schema.properties.get(k);
    return of === undefined ? [] : listTypeErrors(v, of, childPath(path, k));
  });
  return [...others, ...named];
}

function ownErrors(list: readonly Value[], schema: StructuralSchema, path: string): FieldError[] {
  if (schema.listType === 'set') return repeated(list).map(i => duplicate(`${path}[${i}]`, shownValue(list[i] ?? null)));
  if (schema.listType !== 'map') return [];
  const odd = list.findIndex(item => item !== null && !isMap(item));
  if (odd >= 0) return [invalidValue(`${path}[${odd}]`, shownValue(list[odd] ?? null), 'must be an object for an array of list-type map')];
  const keys = list.map(item => listMapKeyOf(item, schema.listMapKeys));
  return repeated(keys).map(i => duplicate(`${path}[${i}]`, shownValue(keys[i] ?? null)));
}

function listMapKeyOf(item: Value, names: readonly string[]): ValueMap {
  const key: ValueMap = new Map();
  for (const name of names) {
    const value = isMap(item) ? item.get(name) : undefined;
    if (value !== undefined) key.set(name, value);
  }
  return key;
}

/** Returns the index of each second occurrence; further ones are not reported. */
function repeated(list: readonly Value[]): number[] {
  const times = new Map<string, number>();
  return list.flatMap((item, i) => {
    const key = `${typeof item} ${writeValue(item, 'sorted')}`;
    const seen = (times.get(key) ?? 0) + 1;
    times.set(key, seen);
    return seen === 2 ? [i] : [];
  });
}

/**
 * Returns the error of metadata with a value of a wrong type, as a webhook's patch can leave it. Since v1.37 it is the only error of the
 * metadata; earlier API servers drop such values. Source: apiextensions-apiserver registry/customresource/validator.go getObjectMeta.
 */
function metadataTypeErrors(server: ApiServer, object: ValueMap): FieldError[] {
  const metadata = object.get('metadata') ?? null;
  if (!server.since('v1.37') || !isMap(metadata)) return [];
  const problem = problemOf(structNamed(server, 'meta/v1.ObjectMeta'), metadata);
  return problem === undefined ? [] : [invalidValue('metadata', shownValue(metadata), problem)];
}

/** Returns the first problem of the conversion to a Go value. Source: apimachinery runtime/converter.go fromUnstructured. */
function problemOf(schema: Schema, value: Value): string | undefined {
  if (value === null) return undefined;
  switch (schema.type) {
    case 'struct':
      if (!isMap(value)) return `cannot restore struct from: ${kindOf(value)}`;
      return firstOf([...schema.fieldsByName], ([name, field]) => problemOf(field.schema, value.get(name) ?? null));
    case 'map':
      if (!isMap(value)) return `cannot restore map from ${kindOf(value)}`;
      return firstOf([...value.values()], item => problemOf(schema.values, item));
    case 'list':
      if (!isList(value)) return `cannot restore slice from ${kindOf(value)}`;
      return firstOf(value, item => problemOf(schema.items, item));
    default:
      return scalarProblem(schema.leaf, value);
  }
}

function firstOf<T>(items: readonly T[], problem: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = problem(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

const scalars = ['string', 'bool', 'int64'];

/** Numbers and strings convert into each other in Go's rules, though not here, which is an error of its own. */
function scalarProblem(type: string, value: Value): string | undefined {
  const wanted = scalars.find(name => name === type);
  const found = kindOf(value);
  if (wanted === undefined || found === wanted || (wanted === 'int64' && typeof value === 'number' && Number.isInteger(value)))
    return undefined;
  const isConvertible = (wanted === 'string' && found === 'int64') || (wanted === 'int64' && found === 'float64');
  return isConvertible ? `cannot convert ${found} to ${wanted}` : `unrecognized type: ${wanted}`;
}

/** Returns Go's kind of a JSON value. */
function kindOf(value: Value): string {
  if (isMap(value)) return 'map';
  if (isList(value)) return 'slice';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'int64' : 'float64';
}
