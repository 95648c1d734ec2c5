import { compilePattern } from '../../../cel/values/regex.js';
import { writeValue } from '../../../go/json/write.js';
import { isList, isMap, listAt, stringAt, type Value, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import {
  type FieldError,
  invalidValue,
  notSupported,
  required,
  tooFew,
  tooLong,
  tooMany,
  tooShort,
} from '../../../kubernetes/field-error.js';
import { combinedResult } from './combinators.js';
import { numberResult } from './number-rules.js';
import { type Correlated, correlatedItem, correlatedMember, isUnchanged } from './rules/correlated.js';
import { addErrors, type CustomSchemaError, errorAt, merge, newResult, type SchemaResult } from './schema-result.js';
import { hasFormat, isStringFormat } from './string-formats.js';
import { typeError, wrongSchemaType } from './type-rule.js';

/** Current place: the path as printed in messages, and the stored value where it can be correlated. */
interface ValidationContext {
  readonly server: ApiServer;
  readonly path: string;
  readonly correlated: Correlated | undefined;
  /** Default values are validated by the unmodified schema: int-or-string has no type, and no format is skipped. */
  readonly isDefault?: boolean | undefined;
}

/**
 * Validates a value by a definition's schema, with the API server's order and messages. With a stored value, unchanged values are exempt.
 * Source: kube-openapi validation/validate, apiextensions-apiserver validation/ratcheting.go.
 */
export function schemaErrors(
  value: Value,
  schema: ValueMap,
  { server, correlated }: Pick<ValidationContext, 'server' | 'correlated'>,
  prefix = '',
): FieldError[] {
  return ratcheted(value, schema, { server, path: '', correlated }).errors.map(({ error }) => ({
    ...error,
    field: fieldOf(error.field, prefix),
  }));
}

/** Validates a default value of a schema. Source: apiextensions-apiserver pkg/apiserver/schema/kubeopenapi.go ToKubeOpenAPI. */
export function defaultErrors(server: ApiServer, value: Value, schema: ValueMap, prefix: string): FieldError[] {
  const { errors } = resultOf(value, schema, { server, path: '', correlated: undefined, isDefault: true });
  return errors.map(({ error }) => ({ ...error, field: fieldOf(error.field, prefix) }));
}

/** Returns the field path; Go prints that of the whole object as nil. */
function fieldOf(path: string, prefix: string): string {
  if (path === '') return prefix === '' ? '<nil>' : prefix;
  return prefix === '' ? path : `${prefix}.${path}`;
}

/** Validates, and discards the errors of unchanged values. */
function ratcheted(value: Value, schema: ValueMap, place: ValidationContext): SchemaResult {
  const result = resultOf(value, schema, place);
  return result.errors.length > 0 && place.correlated !== undefined && isUnchanged(place.correlated)
    ? { errors: [], matches: result.matches }
    : result;
}

/** Validates one value. */
function resultOf(value: Value, schema: ValueMap, place: ValidationContext): SchemaResult {
  const { path, isDefault = false } = place;
  const types = typesOf(schema, isDefault);
  const format = isDefault ? stringAt(schema, 'format') : formatOf(place.server, schema, types);
  const result = newResult();
  const wrong = typeError(value, { types, format, nullable: schema.get('nullable') === true }, path);
  if (types.length > 0 || format !== '') step(result, wrong === undefined ? { errors: [], matches: 1 } : newResult([wrong]));
  if (value === null) {
    merge(result, enumResult(value, schema, path));
    return result;
  }
  step(
    result,
    combinedResult(schema, path, branch => resultOf(value, branch, place)),
  );
  if (typeof value === 'string') {
    step(result, newResult(stringErrors(place.server, value, schema, path)));
    if (isStringFormat(place.server, format))
      step(result, hasFormat(format, value) ? undefined : newResult([wrongSchemaType(path, format, value)]));
  }
  if (typeof value === 'bigint' || typeof value === 'number')
    step(result, numberResult(place.server, value, numberRules(schema, types, format), path));
  if (isList(value)) step(result, listResult(value, schema, place));
  step(result, enumResult(value, schema, path));
  if (isMap(value)) step(result, objectResult(value, schema, place));
  result.matches += 1;
  return result;
}

function step(result: SchemaResult, found: SchemaResult | undefined): void {
  merge(result, found);
  result.matches += 1;
}

function typesOf(schema: ValueMap, isDefault: boolean): string[] {
  if (!isDefault && schema.get('x-kubernetes-int-or-string') === true) return ['integer', 'string'];
  const type = schema.get('type');
  return typeof type === 'string' && type !== '' ? [type] : [];
}

/** Returns the format; one that is unknown for the type is ignored. Source: apiextensions-apiserver validation/formats.go. */
function formatOf(server: ApiServer, schema: ValueMap, types: readonly string[]): string {
  const format = schema.get('format');
  if (typeof format !== 'string') return '';
  if (!server.since('v1.36')) return isStringFormat(server, format) ? format : '';
  const type = types.length === 1 ? types[0] : '';
  if (type === 'integer') return format === 'int32' || format === 'int64' ? format : '';
  if (type === 'number') return format === 'float' || format === 'double' ? format : '';
  return (type === '' || type === 'string') && isStringFormat(server, format) ? format : '';
}

function enumResult(value: Value, schema: ValueMap, path: string): SchemaResult | undefined {
  const allowed = listAt(schema, 'enum');
  if (allowed.length === 0 || allowed.some(a => isSame(value, a))) return undefined;
  const choices = allowed.map(a => (typeof a === 'string' ? a : writeValue(a, 'sorted')));
  const shown = isMap(value) || isList(value) ? { rawJson: writeValue(value, 'sorted') } : value;
  return newResult([errorAt(path, `${path} in body should be one of ${choices.join(' ')}`, field => notSupported(field, shown, choices))]);
}

/** Reports equality with an enum value; numbers are converted to its type, as in Go. */
function isSame(value: Value, allowed: Value): boolean {
  if (allowed === null) return false;
  if (typeof value === 'number' && typeof allowed === 'bigint') return Number.isFinite(value) && BigInt(Math.trunc(value)) === allowed;
  if (typeof value === 'bigint' && typeof allowed === 'number') return Number(value) === allowed;
  return typeof value === typeof allowed && writeValue(value, 'sorted') === writeValue(allowed, 'sorted');
}

/** Returns the first error of a string. */
function stringErrors(server: ApiServer, text: string, schema: ValueMap, path: string): CustomSchemaError[] {
  const length = [...text].length;
  const most = schema.get('maxLength');
  if (isNumber(most) && length > Number(most)) {
    return [errorAt(path, `${path} in body should be at most ${most} chars long`, field => tooLong(field, Number(most)))];
  }
  const least = schema.get('minLength');
  if (isNumber(least) && length < Number(least)) return [shortAt(server, path, { text, least: Number(least) })];
  const pattern = schema.get('pattern');
  if (typeof pattern !== 'string' || pattern === '') return [];
  const compiled = compilePattern(pattern);
  if ('error' in compiled) return [invalidAt(path, text, `should match '${pattern}, but pattern is invalid: ${compiled.error}'`)];
  return compiled.regex.test(text) ? [] : [invalidAt(path, text, `should match '${pattern}'`)];
}

/** Since v1.38 with a reason of its own, like the next. Source: apiextensions-apiserver validation/validation.go kubeOpenAPIResultToFieldErrors. */
function shortAt(server: ApiServer, path: string, { text, least }: { text: string; least: number }): CustomSchemaError {
  const error = invalidAt(path, text, `should be at least ${least} chars long`);
  return server.since('v1.38') ? { ...error, error: tooShort(error.error.field, least) } : error;
}

function fewAt(server: ApiServer, path: string, { size, least, unit }: { size: bigint; least: number; unit: string }): CustomSchemaError {
  const error = invalidAt(path, size, `should have at least ${least} ${unit}`);
  return server.since('v1.38') ? { ...error, error: tooFew(error.error.field, Number(size), least) } : error;
}

function invalidAt(path: string, value: string | bigint, detail: string): CustomSchemaError {
  const message = `${path} in body ${detail}`;
  return errorAt(path, message, field => invalidValue(field, value, message));
}

function numberRules(schema: ValueMap, types: readonly string[], format: string): Parameters<typeof numberResult>[2] {
  const [type = ''] = types.length === 1 ? types : [];
  const limit = (name: string): number | undefined => {
    const value = schema.get(name);
    return isNumber(value) ? Number(value) : undefined;
  };
  return {
    multipleOf: limit('multipleOf'),
    maximum: limit('maximum'),
    exclusiveMaximum: schema.get('exclusiveMaximum') === true,
    minimum: limit('minimum'),
    exclusiveMinimum: schema.get('exclusiveMinimum') === true,
    type: type === 'integer' || type === 'number' ? type : '',
    format: type === 'integer' || type === 'number' ? format : '',
  };
}

function listResult(list: readonly Value[], schema: ValueMap, place: ValidationContext): SchemaResult {
  const { server, path, correlated, isDefault } = place;
  const result = newResult();
  const items = schema.get('items');
  if (isMap(items)) {
    for (const [i, item] of list.entries()) {
      const below = correlated && correlatedItem(correlated, i);
      merge(result, ratcheted(item, items, { server, path: `${path}[${i}]`, correlated: below, isDefault }));
    }
  }
  const least = schema.get('minItems');
  const size = BigInt(list.length);
  if (isNumber(least) && size < least) addErrors(result, [fewAt(server, path, { size, least: Number(least), unit: 'items' })]);
  const most = schema.get('maxItems');
  if (isNumber(most) && size > most) {
    addErrors(result, [
      errorAt(path, `${path} in body should have at most ${most} items`, field => tooMany(field, list.length, Number(most))),
    ]);
  }
  result.matches += 1;
  return result;
}

function objectResult(object: ValueMap, schema: ValueMap, place: ValidationContext): SchemaResult {
  const { server, path, correlated, isDefault } = place;
  const result = newResult();
  addErrors(result, sizeErrors(server, object, schema, path));
  const properties = schema.get('properties');
  const named: ValueMap = isMap(properties) ? properties : new Map();
  const additional = schema.get('additionalProperties');
  const member = (name: string, value: Value, of: ValueMap, at: string): void => {
    const isTypeMeta = path === '' && (name === 'kind' || name === 'apiVersion');
    const below = correlated !== undefined && !isTypeMeta ? correlatedMember(correlated, name) : undefined;
    merge(result, ratcheted(value, of, { server, path: at, correlated: below, isDefault }));
  };
  for (const [name, value] of object) {
    if (named.has(name)) continue;
    if (isMap(additional)) member(name, value, additional, `${path}.${name}`);
    else if (additional === false) addErrors(result, [forbiddenMember(path, name)]);
  }
  for (const [name, of] of named) {
    const value = object.get(name);
    if (value !== undefined && isMap(of)) member(name, value, of, path === '' ? name : `${path}.${name}`);
  }
  for (const name of listAt(schema, 'required').map(String)) {
    if (!object.has(name))
      addErrors(result, [errorAt(`${path}.${name}`, `${path}.${name} in body is required`, field => required(field, ''))]);
  }
  result.matches += 1;
  return result;
}

function forbiddenMember(path: string, name: string): CustomSchemaError {
  const message = `${path}.${name} in body is a forbidden property`;
  return errorAt(path, message, field => invalidValue(field, name, message));
}

function sizeErrors(server: ApiServer, object: ValueMap, schema: ValueMap, path: string): CustomSchemaError[] {
  const errors: CustomSchemaError[] = [];
  const size = BigInt(object.size);
  const least = schema.get('minProperties');
  if (isNumber(least) && size < least) errors.push(fewAt(server, path, { size, least: Number(least), unit: 'properties' }));
  const most = schema.get('maxProperties');
  if (isNumber(most) && size > most) {
    errors.push(
      errorAt(path, `${path} in body should have at most ${most} properties`, field => tooMany(field, object.size, Number(most))),
    );
  }
  return errors;
}

function isNumber(value: Value | undefined): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number';
}
