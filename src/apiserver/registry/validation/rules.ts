import { labelKeyProblems, labelValueProblems } from '../../../kubernetes/name-rules.js';
import type { FieldPath } from './field-path.js';

/** Validates that a number is not negative. Source: ValidateNonnegativeField. */
export function checkNonNegative(field: FieldPath): void {
  if (field.number() < 0n) field.invalid('must be greater than or equal to 0');
}

/** Validates that a number is in a range. */
export function checkRange(field: FieldPath, low: bigint, high: bigint): void {
  const value = field.number();
  if (value < low || value > high) field.invalid(value, `must be between ${low} and ${high}, inclusive`);
}

/** Validates a port number. Source: validation.IsValidPortNum. */
export function checkPort(field: FieldPath): void {
  checkRange(field, 1n, 65_535n);
}

/** Validates a required string that must be one of a few; they are shown in the order given. */
export function checkOneOf(field: FieldPath, supported: readonly string[]): void {
  if (field.text() === '') field.required();
  else checkKnown(field, supported);
}

/** Validates an enumerated string; an empty one is just unsupported. */
export function checkKnown(field: FieldPath, supported: readonly string[]): void {
  if (!supported.includes(field.text())) field.notSupported(field.text(), supported);
}

/** Validates each string of a list by a name rule. */
export function checkName(field: FieldPath, rule: (text: string) => string[]): void {
  field.invalidEach(field.text(), rule(field.text()));
}

/** Validates the key of a label. */
export function checkLabelName(field: FieldPath): void {
  checkName(field, text => labelKeyProblems(field.server, text));
}

/** Validates a label selector of meta/v1. Source: metav1/validation.ValidateLabelSelector. */
export function checkLabelSelector(field: FieldPath): void {
  if (!field.isSet()) return;
  checkLabels(field.child('matchLabels'));
  for (const requirement of field.child('matchExpressions').items()) {
    checkOperator(requirement);
    checkLabelName(requirement.child('key'));
    for (const value of requirement.child('values').items()) checkName(value, text => labelValueProblems(field.server, text));
  }
}

/** Validates a map of labels. */
export function checkLabels(field: FieldPath): void {
  if (!(field.value instanceof Map)) return;
  for (const [key, value] of field.value) {
    field.invalidEach(key, labelKeyProblems(field.server, key));
    field.invalidEach(String(value), labelValueProblems(field.server, String(value)));
  }
}

function checkOperator(requirement: FieldPath): void {
  const operator = requirement.child('operator');
  const values = requirement.child('values');
  const word = operator.text();
  if (word === 'In' || word === 'NotIn') {
    if (values.length() === 0) values.required("must be specified when `operator` is 'In' or 'NotIn'");
  } else if (word === 'Exists' || word === 'DoesNotExist') {
    if (values.length() > 0) values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  } else operator.invalidName('not a valid selector operator');
}

/** Validates that a path does not contain `..`. Source: validatePathNoBacksteps. */
export function checkNoBacksteps(field: FieldPath): void {
  if (field.text().split('/').includes('..')) field.invalid("must not contain '..'");
}

/** Validates that a path is relative and has no `..`. Source: validateLocalDescendingPath. */
export function checkDescendingPath(field: FieldPath): void {
  if (field.text().startsWith('/')) field.invalid('must be a relative path');
  checkNoBacksteps(field);
}

/** Validates that a path is relative, has no `..` and does not start with two dots. Source: ValidateLocalNonReservedPath. */
export function checkNonReservedPath(field: FieldPath): void {
  checkDescendingPath(field);
  const path = field.text();
  if (path.startsWith('..') && !path.startsWith('../')) field.invalid("must not start with '..'");
}

/** Requires a member. */
export function checkRequired(field: FieldPath, ...keys: readonly string[]): void {
  for (const key of keys) if (field.child(key).text() === '') field.child(key).required();
}

/** Validates an optional file mode. */
export function checkFileMode(field: FieldPath): void {
  if (field.isSet() && (field.number() < 0n || field.number() > 0o777n))
    field.invalid('must be a number between 0 and 0777 (octal), both inclusive');
}

/** Reports whether a selector has neither labels nor expressions. */
export function isEmptySelector(field: FieldPath): boolean {
  return (
    field.isSet() &&
    !(field.has('matchLabels') && field.child('matchLabels').length() > 0) &&
    field.child('matchExpressions').length() === 0
  );
}
