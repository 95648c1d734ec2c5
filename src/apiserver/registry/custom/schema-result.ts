import { type FieldError, invalidValue } from '../../../kubernetes/field-error.js';

/** Schema validation error of a value. Source: kube-openapi validation/validate.Result, validation/errors. */
export interface CustomSchemaError {
  /** The validator's own message, with the path; equal messages are reported once. */
  readonly message: string;
  /** Field error, as if the validated value were the whole object. */
  readonly error: FieldError;
}

/** Result of validating one value. */
export interface SchemaResult {
  readonly errors: CustomSchemaError[];
  /** Number of checks that passed: of the branches of anyOf and oneOf, the errors of the one with the most are reported. */
  matches: number;
}

/** Returns a result without errors. */
export function newResult(errors: readonly CustomSchemaError[] = []): SchemaResult {
  return { errors: [...errors], matches: 0 };
}

/** Adds the errors of another result, without duplicates. */
export function merge(into: SchemaResult, other: SchemaResult | undefined): void {
  if (other === undefined) return;
  into.matches += other.matches;
  addErrors(into, other.errors);
}

/** Adds errors, without duplicates. */
export function addErrors(into: SchemaResult, errors: readonly CustomSchemaError[]): void {
  for (const error of errors) if (!into.errors.some(e => e.message === error.message)) into.errors.push(error);
}

/** Returns an error for a place in the value. */
export function errorAt(path: string, message: string, error: (field: string) => FieldError): CustomSchemaError {
  return { message, error: error(path.startsWith('.') ? path.slice(1) : path) };
}

/** Returns an error without a field; its message has the path. */
export function unplaced(message: string): CustomSchemaError {
  return { message, error: invalidValue('', '', message) };
}
