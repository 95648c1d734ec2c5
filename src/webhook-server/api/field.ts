import { writePlain } from '../../encoding/plain-json.js';
import * as errors from '../../kubernetes/field-error.js';
import { type BadValue, type FieldError, printFieldError, printFieldErrors } from '../../kubernetes/field-error.js';

/** Path of a field, as field.Path: `spec.containers[0].image`. */
export interface FieldPath {
  child(...names: readonly string[]): FieldPath;
  index(i: number): FieldPath;
  key(key: string): FieldPath;
  toString(): string;
}

/** Error of one field: can be thrown, or passed to `apiErrors.invalid`. */
export class FieldValueError extends Error {
  override readonly name = 'FieldValueError';
  readonly fieldError: FieldError;

  constructor(fieldError: FieldError) {
    super(printFieldError(fieldError));
    this.fieldError = fieldError;
  }
}

/** Several field errors as one error. */
class FieldErrorList extends Error {
  override readonly name = 'FieldErrorList';
}

function path(...names: readonly string[]): FieldPath {
  return pathOf(names.join('.'));
}

function pathOf(text: string): FieldPath {
  return {
    child: (...names) => pathOf([...(text === '' ? [] : [text]), ...names].join('.')),
    index: i => pathOf(`${text}[${i}]`),
    key: key => pathOf(`${text}[${key}]`),
    toString: () => text,
  };
}

type Path = FieldPath | string;

/** Returns a plain value as messages show it. */
function badValue(value: unknown): BadValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return value;
  return { rawJson: writePlain(value) };
}

/** Field paths and errors of their values. Source: apimachinery util/validation/field. */
export const field = {
  path,
  invalid: (at: Path, value: unknown, detail: string) => new FieldValueError(errors.invalidValue(String(at), badValue(value), detail)),
  required: (at: Path, detail: string) => new FieldValueError(errors.required(String(at), detail)),
  notSupported: (at: Path, value: unknown, valid: readonly string[]) =>
    new FieldValueError(errors.notSupported(String(at), badValue(value), valid)),
  forbidden: (at: Path, detail: string) => new FieldValueError(errors.forbiddenField(String(at), detail)),
  duplicate: (at: Path, value: unknown) => new FieldValueError(errors.duplicate(String(at), badValue(value))),
  tooLong: (at: Path, _value: unknown, maximumBytes: number) => new FieldValueError(errors.tooLong(String(at), maximumBytes)),
  tooMany: (at: Path, actual: number, maximum: number) => new FieldValueError(errors.tooMany(String(at), actual, maximum)),
  notFound: (at: Path, value: unknown) => new FieldValueError(errors.valueNotFound(String(at), badValue(value))),
  /** Combines errors: a single one as it is, several in brackets, duplicates removed; undefined for none. */
  aggregate(list: readonly FieldValueError[]): FieldErrorList | undefined {
    return list.length === 0 ? undefined : new FieldErrorList(printFieldErrors(list.map(({ fieldError }) => fieldError)));
  },
} as const;
