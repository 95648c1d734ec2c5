import { printGo } from '../../../go/print.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { invalidValue } from '../../../kubernetes/field-error.js';
import { addErrors, type CustomSchemaError, errorAt, newResult, type SchemaResult, unplaced } from './schema-result.js';

/** Number constraints of a schema. */
export interface NumberRules {
  readonly multipleOf: number | undefined;
  readonly maximum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly minimum: number | undefined;
  readonly exclusiveMinimum: boolean;
  /** `integer`, `number`; empty where several types are allowed. */
  readonly type: string;
  /** `int32`, `int64`, `float`, `double`; empty: none. */
  readonly format: string;
}

/** Checks range, factor and limits. Source: kube-openapi validate/validator.go numberValidator, values.go. */
export function numberResult(server: ApiServer, value: bigint | number, rules: NumberRules, path: string): SchemaResult {
  const result = newResult();
  addErrors(result, rangeErrors(server, value, rules, { prefix: 'Checked', path }));
  const checks: readonly [number | undefined, string, (limit: number, isNative: boolean) => CustomSchemaError | undefined][] = [
    [rules.multipleOf, 'MultipleOf', (factor, isNative) => multipleError(isNative ? value : Number(value), factor, path)],
    [
      rules.minimum,
      'Minimum boundary',
      (limit, isNative) => limitError(isNative ? value : Number(value), limit, { path, rules, side: 'min' }),
    ],
    [
      rules.maximum,
      'Maximum boundary',
      (limit, isNative) => limitError(isNative ? value : Number(value), limit, { path, rules, side: 'max' }),
    ],
  ];
  for (const [limit, prefix, check] of checks) {
    if (limit === undefined) continue;
    // A limit that does not fit the type is reported, and compared as a float.
    const unfit = rangeErrors(server, limit, rules, { prefix, path });
    addErrors(result, unfit);
    const error = check(limit, unfit.length === 0);
    if (error !== undefined) addErrors(result, [error]);
    result.matches += 0;
  }
  result.matches += 1;
  return result;
}

/** Reports whether a float is an integer within a tolerance. Source: swag.IsFloat64AJSONInteger. */
export function isJsonInteger(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.trunc(value);
  if (whole === value) return true;
  if (value < 0 || whole === 0) return false;
  return (value - whole) / (value + whole) < 1e-9;
}

function rangeErrors(
  server: ApiServer,
  value: bigint | number,
  { type, format }: NumberRules,
  at: { prefix: string; path: string },
): CustomSchemaError[] {
  if (!server.since('v1.36') || fits(value, type, format)) return [];
  const what = format === '' ? `${type} (default format)` : `${type} with format ${format}`;
  return [unplaced(`${at.prefix} value must be of type ${what} in ${at.path}`)];
}

function fits(value: bigint | number, type: string, format: string): boolean {
  if (type === 'integer') {
    if (typeof value === 'number' && !Number.isInteger(value)) return false;
    // Go parses the shortest text of a float, which is beyond -2^63 for a float of that value.
    const whole = BigInt(typeof value === 'number' && Math.abs(value) < 1e21 ? String(value) : value);
    const limit = 1n << (format === 'int32' ? 31n : 63n);
    return whole >= -limit && whole < limit;
  }
  return format !== 'float' || Math.abs(Number(value)) <= 3.4028235677973366e38;
}

function multipleError(value: bigint | number, factor: number, path: string): CustomSchemaError | undefined {
  const whole = typeof value === 'bigint' ? asInt64(factor) : undefined;
  const shown = printGo(whole ?? factor);
  if ((whole ?? factor) <= 0) {
    const message = `factor MultipleOf declared for ${path} must be positive: ${shown}`;
    return errorAt(path, message, field => invalidValue(field, whole ?? factor, message));
  }
  if (typeof value === 'bigint' && whole !== undefined) {
    if (value % whole === 0n) return undefined;
  } else {
    const times = factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor;
    if (isJsonInteger(times)) return undefined;
  }
  const message = `${path} in body should be a multiple of ${shown}`;
  return errorAt(path, message, field => invalidValue(field, value, message));
}

const minInt64 = -(1n << 63n);

/** Converts as Go does on amd64: the smallest int64 for a number outside its range. */
function asInt64(value: number): bigint {
  const whole = BigInt(Math.trunc(value));
  return whole >= minInt64 && whole < -minInt64 ? whole : minInt64;
}

interface Limit {
  readonly path: string;
  readonly rules: NumberRules;
  readonly side: 'min' | 'max';
}

function limitError(value: bigint | number, limit: number, { path, rules, side }: Limit): CustomSchemaError | undefined {
  const bound = typeof value === 'bigint' ? asInt64(limit) : limit;
  const exclusive = side === 'min' ? rules.exclusiveMinimum : rules.exclusiveMaximum;
  const [low, high] = side === 'min' ? [bound, value] : [value, bound];
  if (exclusive ? low < high : low <= high) return undefined;
  const detail = side === 'min' ? 'greater than' : 'less than';
  const message = `${path} in body should be ${detail}${exclusive ? '' : ' or equal to'} ${printGo(bound)}`;
  return errorAt(path, message, field => invalidValue(field, value, message));
}
