import type { FieldPath } from '../field-path.js';
import { covers, type FieldDifference } from './differences.js';

/** A difference after a round trip that is not a finding, and the reason. */
export interface HarmlessDifference {
  readonly field: string;
  readonly reason: string;
}

/**
 * Returns why a difference after a round trip is harmless; undefined if it may be a loss. Harmless are ignored fields, the annotation in
 * which conversions by hub and spoke keep what the other version lacks, and zero values of the status, which Go writes without `omitempty`.
 */
export function harmlessReason(difference: FieldDifference, ignored: readonly FieldPath[]): string | undefined {
  const { field, before, after } = difference;
  if (ignored.some(path => covers(path, difference))) return 'ignored by --ignore-field';
  if (/^metadata\.annotations\["([^"]*\/)?conversion-data"\]$/.test(field)) return 'keeps data that the other version lacks';
  if (!/^status\b/.test(field)) return undefined;
  const [value, missing] = before === null ? [after, before] : [before, after];
  return missing === null && value !== null && isZeroText(value) ? 'only a zero value of the status' : undefined;
}

/** Reports whether a JSON text contains only zero values; false for truncated text. */
function isZeroText(text: string): boolean {
  try {
    return isZero(JSON.parse(text));
  } catch {
    return false;
  }
}

function isZero(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return !value;
  return Array.isArray(value) ? value.length === 0 : Object.values(value).every(isZero);
}
