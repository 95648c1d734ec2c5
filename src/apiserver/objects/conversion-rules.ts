import type { Value, ValueMap } from '../../go/value.js';
import { isAbsent } from './default-rules.js';

/**
 * How a Go type differs from the API server's internal one, in place. The internal form of a kind has the shape of its newest version, with
 * the few fields that only the internal types have. Children are internal already when `toInternal` is called and still are when
 * `fromInternal` is. Absent rule: the two are alike.
 */
export interface ConversionRule {
  readonly toInternal?: (value: ValueMap) => void;
  readonly fromInternal?: (value: ValueMap) => void;
  /** Restores what `fromInternal` leaves alone in the object that it writes to: `held` is that object. */
  readonly keepUnassigned?: (value: ValueMap, held: ValueMap) => void;
}

/** By the table's name of the Go type. */
export type ConversionRules = Readonly<Record<string, ConversionRule>>;

/** Pointers in the version, plain in the internal type: what is absent comes back as zero. */
export function zeroWhereAbsent(zeros: Readonly<Record<string, Value>>): ConversionRule {
  const entries = Object.entries(zeros);
  return {
    fromInternal: value => {
      for (const [key, zero] of entries) if (isAbsent(value, key)) value.set(key, zero);
    },
  };
}

/** The same fields under other names in the internal type. */
export function renamed(names: Readonly<Record<string, string>>): Required<Pick<ConversionRule, 'toInternal' | 'fromInternal'>> {
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

/** Moves a value to another key; whatever stood there goes. */
export function rename(value: ValueMap, from: string, to: string): void {
  const found = value.get(from);
  value.delete(from);
  if (found === undefined || found === null) value.delete(to);
  else value.set(to, found);
}
