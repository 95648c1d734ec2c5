import type { Value } from '../../go/value.js';
import { differencesBetween, shown } from '../checks/differences.js';
import { fieldPathText } from '../field-path.js';

/** A field that two objects do not share. */
export interface FieldDifference {
  /** `spec.ports[0].name`; `metadata.labels["example.com/a"]` */
  readonly field: string;
  readonly outcome: 'lost' | 'changed' | 'added';
  /** JSON, cut where it gets long; null where the field is not there. */
  readonly before: string | null;
  readonly after: string | null;
}

/** The deepest fields in which two values differ, in the order of the first. */
export function fieldDifferences(before: Value | undefined, after: Value | undefined): FieldDifference[] {
  return differencesBetween(before, after).map(({ path, a, b }) => ({
    field: fieldOf(path),
    outcome: b === undefined ? 'lost' : a === undefined ? 'added' : 'changed',
    before: a === undefined ? null : shown(a),
    after: b === undefined ? null : shown(b),
  }));
}

/** `spec.colour is lost, spec.size is changed` */
export function changesText(fields: readonly FieldDifference[]): string {
  return fields.map(({ field, outcome }) => `${field} is ${outcome}`).join(', ');
}

/** A JSON pointer as a field path. */
function fieldOf(pointer: string): string {
  const tokens = pointer.split('/').slice(1);
  return fieldPathText(tokens.map(token => (/^\d+$/.test(token) ? Number(token) : token.replaceAll('~1', '/').replaceAll('~0', '~'))));
}
