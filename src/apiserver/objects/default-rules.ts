import { isMap, type Value, type ValueMap } from '../../go/value.js';

/**
 * Fills in what a Go type's own defaulting function fills in, in place. Its children are not yet defaulted. Strings, numbers and booleans
 * that are no pointers are absent when they are zero, as decoding leaves them.
 */
export type DefaultRule = (value: ValueMap, now: Date | undefined) => void;

/** By the table's name of the Go type. */
export type DefaultRules = Readonly<Record<string, DefaultRule>>;

/** Is there nothing under the key? */
export function isAbsent(value: ValueMap, key: string): boolean {
  const found = value.get(key);
  return found === undefined || found === null;
}

/** Sets what is absent. */
export function setDefault(value: ValueMap, key: string, given: Value): void {
  if (isAbsent(value, key)) value.set(key, given);
}

/** Returns a rule that sets constants where they are absent. Only for scalars: the values are shared. */
export function constants(given: Readonly<Record<string, string | bigint | boolean>>): DefaultRule {
  const entries = Object.entries(given);
  return value => {
    for (const [key, constant] of entries) setDefault(value, key, constant);
  };
}

/** How many items or entries are under the key; 0 when there is none. */
export function sizeOf(value: ValueMap, key: string): number {
  const found = value.get(key);
  if (Array.isArray(found)) return found.length;
  return isMap(found) ? found.size : 0;
}
