import { labelKeyProblems, labelValueProblems } from '../../../kubernetes/name-rules.js';
import {
  addForbidden,
  addInvalid,
  addInvalidName,
  addProblems,
  addRequired,
  addUnsupported,
  at,
  hasSet,
  indexed,
  isSet,
  lengthOf,
  numberOf,
  type Place,
  textOf,
} from './place.js';

/** Validates that a number is not negative. Source: ValidateNonnegativeField. */
export function checkNonNegative(place: Place): void {
  if (numberOf(place) < 0n) addInvalid(place, 'must be greater than or equal to 0');
}

/** Validates that a number is in a range. */
export function checkRange(place: Place, low: bigint, high: bigint): void {
  const value = numberOf(place);
  if (value < low || value > high) addInvalid(place, `must be between ${low} and ${high}, inclusive`, value);
}

/** Validates a port number. Source: validation.IsValidPortNum. */
export function checkPort(place: Place): void {
  checkRange(place, 1n, 65_535n);
}

/** Validates a required string that must be one of a few; they are shown in the order given. */
export function checkOneOf(place: Place, supported: readonly string[]): void {
  if (textOf(place) === '') addRequired(place);
  else checkKnown(place, supported);
}

/** Validates an enumerated string; an empty one is just unsupported. */
export function checkKnown(place: Place, supported: readonly string[]): void {
  if (!supported.includes(textOf(place))) addUnsupported(place, supported, textOf(place));
}

/** Validates each string of a list by a name rule. */
export function checkName(place: Place, rule: (text: string) => string[]): void {
  addProblems(place, rule(textOf(place)), textOf(place));
}

/** Validates the key of a label. */
export function checkLabelName(place: Place): void {
  checkName(place, text => labelKeyProblems(place.server, text));
}

/** Validates a label selector of meta/v1. Source: metav1/validation.ValidateLabelSelector. */
export function checkLabelSelector(place: Place): void {
  if (!isSet(place)) return;
  checkLabels(at(place, 'matchLabels'));
  for (const requirement of indexed(at(place, 'matchExpressions'))) {
    checkOperator(requirement);
    checkLabelName(at(requirement, 'key'));
    for (const value of indexed(at(requirement, 'values'))) checkName(value, text => labelValueProblems(place.server, text));
  }
}

/** Validates a map of labels. */
export function checkLabels(place: Place): void {
  if (!(place.value instanceof Map)) return;
  for (const [key, value] of place.value) {
    addProblems(place, labelKeyProblems(place.server, key), key);
    addProblems(place, labelValueProblems(place.server, String(value)), String(value));
  }
}

function checkOperator(requirement: Place): void {
  const operator = at(requirement, 'operator');
  const values = at(requirement, 'values');
  const word = textOf(operator);
  if (word === 'In' || word === 'NotIn') {
    if (lengthOf(values) === 0) addRequired(values, "must be specified when `operator` is 'In' or 'NotIn'");
  } else if (word === 'Exists' || word === 'DoesNotExist') {
    if (lengthOf(values) > 0) addForbidden(values, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  } else addInvalidName(operator, 'not a valid selector operator');
}

/** Validates that a path does not contain `..`. Source: validatePathNoBacksteps. */
export function checkNoBacksteps(place: Place): void {
  if (textOf(place).split('/').includes('..')) addInvalid(place, "must not contain '..'");
}

/** Validates that a path is relative and has no `..`. Source: validateLocalDescendingPath. */
export function checkDescendingPath(place: Place): void {
  if (textOf(place).startsWith('/')) addInvalid(place, 'must be a relative path');
  checkNoBacksteps(place);
}

/** Validates that a path is relative, has no `..` and does not start with two dots. Source: ValidateLocalNonReservedPath. */
export function checkNonReservedPath(place: Place): void {
  checkDescendingPath(place);
  const path = textOf(place);
  if (path.startsWith('..') && !path.startsWith('../')) addInvalid(place, "must not start with '..'");
}

/** Requires a member. */
export function checkRequired(place: Place, ...keys: readonly string[]): void {
  for (const key of keys) if (textOf(at(place, key)) === '') addRequired(at(place, key));
}

/** Validates an optional file mode. */
export function checkFileMode(place: Place): void {
  if (isSet(place) && (numberOf(place) < 0n || numberOf(place) > 0o777n))
    addInvalid(place, 'must be a number between 0 and 0777 (octal), both inclusive');
}

/** Reports whether a selector has neither labels nor expressions. */
export function isEmptySelector(place: Place): boolean {
  return (
    isSet(place) &&
    !(hasSet(place, 'matchLabels') && lengthOf(at(place, 'matchLabels')) > 0) &&
    lengthOf(at(place, 'matchExpressions')) === 0
  );
}
