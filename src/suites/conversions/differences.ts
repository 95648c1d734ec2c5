import { type AnswerPath, every, fieldPathText, parseFieldPath } from '../../client/field-path.js';
import type { Value } from '../../go/value.js';
import { differencesBetween, shownDifference } from '../checks/differences.js';

/** A field that differs between two objects. */
export interface FieldDifference {
  /** `spec.ports[0].name`; `metadata.labels["example.com/a"]` */
  readonly field: string;
  readonly outcome: 'lost' | 'changed' | 'added';
  /** JSON, truncated when long; null if the field is missing. */
  readonly before: string | null;
  readonly after: string | null;
}

/** The deepest fields that differ between two values, in the order of the first. */
export function fieldDifferences(before: Value | undefined, after: Value | undefined): FieldDifference[] {
  return differencesBetween(before, after).map(({ path, a, b }) => ({
    field: fieldOf(path),
    outcome: b === undefined ? 'lost' : a === undefined ? 'added' : 'changed',
    before: a === undefined ? null : shownDifference(a),
    after: b === undefined ? null : shownDifference(b),
  }));
}

/** `spec.color is lost, spec.size is changed` */
export function changesText(fields: readonly FieldDifference[]): string {
  return fields.map(({ field, outcome }) => `${field} is ${outcome}`).join(', ');
}

/** Reports whether a path leads to the field, or to one above it. */
export function covers(path: AnswerPath, { field }: FieldDifference): boolean {
  const found = parseFieldPath(field);
  return 'error' in found ? false : path.every((part, i) => part === every || part === found[i]);
}

/** Converts a JSON pointer to a field path. */
function fieldOf(pointer: string): string {
  const tokens = pointer.split('/').slice(1);
  return fieldPathText(tokens.map(token => (/^\d+$/.test(token) ? Number(token) : token.replaceAll('~1', '/').replaceAll('~0', '~'))));
}
