import { isMap, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';

/**
 * Applies a Go type's own defaulting function, in place, before its children are defaulted. Non-pointer strings, numbers and booleans are
 * absent when they are zero, as after decoding.
 */
export type DefaultRule = (value: ValueMap, now: Date | undefined, server: ApiServer) => void;

/** By the table's name of the Go type. */
export type DefaultRules = Readonly<Record<string, DefaultRule>>;

/** Reports whether the key has no value. */
export function isAbsent(value: ValueMap, key: string): boolean {
  const found = value.get(key);
  return found === undefined || found === null;
}

/** Sets what is absent. */
export function setDefault(value: ValueMap, key: string, given: Value): void {
  if (isAbsent(value, key)) value.set(key, given);
}

/** Returns a rule that sets constants where they are absent. Only for scalars, because the values are shared. */
export function constants(given: Readonly<Record<string, string | bigint | boolean>>): DefaultRule {
  const entries = Object.entries(given);
  return value => {
    for (const [key, constant] of entries) setDefault(value, key, constant);
  };
}

/** Returns the number of items or entries under the key; 0 when absent. */
export function sizeOfValue(value: ValueMap, key: string): number {
  const found = value.get(key);
  if (Array.isArray(found)) return found.length;
  return isMap(found) ? found.size : 0;
}
