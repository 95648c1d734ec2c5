import { formatFloat } from '../go/float.js';
import { quote } from '../go/quote.js';
import { isRawJson, type RawJson } from '../go/value.js';

/** Error about one field of an object. Source: apimachinery util/validation/field. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** `spec.containers[0].name`; empty for the object itself. */
  readonly field: string;
  /** Undefined if the message does not show the value. */
  readonly badValue: BadValue | undefined;
  /** Empty if there is no detail. */
  readonly detail: string;
}

/** Invalid value: a leaf (integers as bigint, other numbers as number), or the JSON that Go would write for anything else. */
export type BadValue = string | bigint | number | boolean | null | RawJson;

export type FieldErrorType = keyof typeof reasons;

/** Returns `Required value: DETAIL`. */
export function required(field: string, detail: string): FieldError {
  return { type: 'FieldValueRequired', field, badValue: '', detail };
}

/** Returns `Invalid value: "x": DETAIL`. */
export function invalidValue(field: string, badValue: BadValue | undefined, detail: string): FieldError {
  return { type: 'FieldValueInvalid', field, badValue, detail };
}

/** Returns `Invalid value: "x": DETAIL` for a value of the wrong type. */
export function typeInvalid(field: string, badValue: BadValue | undefined, detail: string): FieldError {
  return { type: 'FieldValueTypeInvalid', field, badValue, detail };
}

/** Returns `Unsupported value: "x": supported values: "A", "B"`, in the given order; most callers upstream sort the values. */
export function notSupported(field: string, badValue: BadValue | undefined, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(quote).join(', ')}`;
  return { type: 'FieldValueNotSupported', field, badValue, detail };
}

/** Returns `Not found: "x"`. */
export function valueNotFound(field: string, badValue: BadValue | undefined): FieldError {
  return { type: 'FieldValueNotFound', field, badValue, detail: '' };
}

/** Returns `Duplicate value: "x"`. */
export function duplicate(field: string, badValue: BadValue | undefined): FieldError {
  return { type: 'FieldValueDuplicate', field, badValue, detail: '' };
}

/** Returns `Forbidden: DETAIL`. */
export function forbiddenField(field: string, detail: string): FieldError {
  return { type: 'FieldValueForbidden', field, badValue: '', detail };
}

/** Returns `Too long: may not be more than 63 bytes`, or `value is too long` if the maximum is negative. */
export function tooLong(field: string, maximumBytes: number): FieldError {
  const unit = maximumBytes === 1 ? 'byte' : 'bytes';
  const detail = maximumBytes < 0 ? 'value is too long' : `may not be more than ${maximumBytes} ${unit}`;
  return { type: 'FieldValueTooLong', field, badValue: undefined, detail };
}

/** The same with characters in place of bytes. */
export function tooLongCharacters(field: string, maximum: number): FieldError {
  return {
    type: 'FieldValueTooLong',
    field,
    badValue: undefined,
    detail: `may not be more than ${maximum} ${maximum === 1 ? 'character' : 'characters'}`,
  };
}

/** Returns `Too short: must be at least 3 characters`, or `value is too short` if the minimum is negative. */
export function tooShort(field: string, minimum: number): FieldError {
  const detail = minimum < 0 ? 'value is too short' : `must be at least ${minimum} ${minimum === 1 ? 'character' : 'characters'}`;
  return { type: 'FieldValueTooShort', field, badValue: undefined, detail };
}

/** Returns `Too few: 1: must have at least 2 items`; negative numbers are left out. */
export function tooFew(field: string, actual: number, minimum: number): FieldError {
  const detail = minimum < 0 ? 'has too few items' : `must have at least ${minimum} ${minimum === 1 ? 'item' : 'items'}`;
  return { type: 'FieldValueTooFew', field, badValue: actual < 0 ? undefined : BigInt(actual), detail };
}

/** Returns `Too many: 5: must have at most 3 items`; negative numbers are left out. */
export function tooMany(field: string, actual: number, maximum: number): FieldError {
  const detail = maximum < 0 ? 'has too many items' : `must have at most ${maximum} ${maximum === 1 ? 'item' : 'items'}`;
  return { type: 'FieldValueTooMany', field, badValue: actual < 0 ? undefined : BigInt(actual), detail };
}

/** Returns `Internal error: DETAIL`. */
export function internalFieldError(field: string, detail: string): FieldError {
  return { type: 'InternalError', field, badValue: null, detail };
}

/** Returns the error with its field: `spec.replicas: Invalid value: -1: must be non-negative`. Source: field.Error.Error. */
export function printFieldError(error: FieldError): string {
  return `${error.field}: ${fieldErrorBody(error)}`;
}

/** Returns the error without its field, as the message of a cause. Source: field.Error.ErrorBody. */
export function fieldErrorBody(error: FieldError): string {
  const value = withoutValue.has(error.type) || error.badValue === undefined ? '' : `: ${printBadValue(error.badValue)}`;
  return `${reasons[error.type]}${value}${error.detail === '' ? '' : `: ${error.detail}`}`;
}

/** Returns several errors as one text: one error as it is, more in brackets, equal ones once. Source: ErrorList.ToAggregate. */
export function printFieldErrors(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(printFieldError))];
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}

/** Description of each error type. */
const reasons = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueTooShort: 'Too short',
  FieldValueTooFew: 'Too few',
  InternalError: 'Internal error',
  FieldValueTypeInvalid: 'Invalid value',
};

const withoutValue: ReadonlySet<FieldErrorType> = new Set([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'FieldValueTooShort',
  'InternalError',
] as const);

function printBadValue(value: BadValue): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return formatFloat(value);
  return isRawJson(value) ? value.rawJson : String(value);
}
