import type { Value, ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { isAbsent } from './default-rules.js';

/**
 * Difference between a Go type and the API server's internal one, applied in place. The internal form of a kind has the shape of its newest
 * version, plus the few fields that only the internal types have. Children are in internal form when `toInternal` and `fromInternal` are
 * called. Without a rule both forms are equal.
 */
export interface ConversionRule {
  readonly toInternal?: (value: ValueMap, server: ApiServer) => void;
  readonly fromInternal?: (value: ValueMap, server: ApiServer) => void;
  /** Restores the fields that `fromInternal` does not write in the object that it writes to, which is `held`. */
  readonly keepUnassigned?: (value: ValueMap, held: ValueMap, server: ApiServer) => void;
  /** Fields that only the internal type has, and that `keepUnassigned` may set: validation refuses an object that has them. */
  readonly internalFields?: readonly string[];
}

/** By the table's name of the Go type. */
export type ConversionRules = Readonly<Record<string, ConversionRule>>;

/** Returns a rule for fields that are pointers in the version and values in the internal type: absent ones come back as zero. */
export function zeroWhereAbsent(zeros: Readonly<Record<string, Value>>): ConversionRule {
  const entries = Object.entries(zeros);
  return {
    fromInternal: value => {
      for (const [key, zero] of entries) if (isAbsent(value, key)) value.set(key, zero);
    },
  };
}

/** Returns a rule for fields with other names in the internal type. */
export function renamed(
  names: Readonly<Record<string, string>>,
): Readonly<Record<'toInternal' | 'fromInternal', (value: ValueMap) => void>> {
  const entries = Object.entries(names);
  return {
    toInternal: value => {
      for (const [own, internal] of entries) rename(value, own, internal);
    },
    fromInternal: value => {
      for (const [own, internal] of entries) rename(value, internal, own);
    },
  };
}

/** Moves a value to another key, replacing any value there. */
export function rename(value: ValueMap, from: string, to: string): void {
  const found = value.get(from);
  value.delete(from);
  if (found === undefined || found === null) value.delete(to);
  else value.set(to, found);
}
