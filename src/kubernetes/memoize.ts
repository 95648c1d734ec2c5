import { onceValue } from '../go/once.js';

/** Memoizes a function of an object. Results live as long as their object, which must not change. */
export function memoize<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const results = new WeakMap<K, { readonly value: V }>();
  return key => {
    const known = results.get(key);
    if (known !== undefined) return known.value;
    const value = compute(key);
    results.set(key, { value });
    return value;
  };
}

/**
 * Memoizes a function of an object that lives for one call, as `memoize` does, inside the object. The lines are repeated: code for both kinds of tables takes 4
 * percent more of the time of `test`, because V8 can no longer inline the lookup.
 */
export function memoizeInside<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const results = valuesInside<K, { readonly value: V }>();
  return key => {
    const known = results.get(key);
    if (known !== undefined) return known.value;
    const value = compute(key);
    results.set(key, { value });
    return value;
  };
}

/**
 * Returns a table of values of objects that live for one call. It keeps each value in its object: V8's collections of young objects keep all values of a
 * WeakMap, and copy them, although the objects are garbage. A copy by spread has no value. The objects must not be frozen.
 */
export function valuesInside<K extends object, V>(): Pick<WeakMap<K, V>, 'get'> & { readonly set: (key: K, value: V) => void } {
  const member = Symbol('inside');
  return {
    get: (key: K & { readonly [member]?: V }) => key[member],
    set: (key, value) => Object.defineProperty(key, member, { value, configurable: true, writable: true }),
  };
}

/** Memoizes a function of a string. Cleared when it holds `maxSize` entries. Errors are not memoized. */
export function memoizeStrings<V>(maxSize: number, compute: (text: string) => V): (text: string) => V {
  const results = new Map<string, { readonly value: V }>();
  return text => {
    const known = results.get(text);
    if (known !== undefined) return known.value;
    const value = compute(text);
    if (results.size >= maxSize) results.clear();
    results.set(text, { value });
    return value;
  };
}

/** Returns a function that computes its value on the first call. Errors are not kept. */
export const lazy: <T>(compute: () => T) => () => T = onceValue;
