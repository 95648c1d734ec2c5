import { adapt } from './found.js';
import { findInMap, type IdentityMap, identityOf, mapEntries, mapOf } from './maps.js';
import { printed } from './printed.js';
import { type CelMap, type CelValue, celError } from './value.js';

/** Adds an entry to a map; an accumulator is extended in place. Returns an error when the key exists. */
export function insertIntoMap(map: CelMap, key: CelValue, value: CelValue): CelValue {
  if (findInMap(map, key) !== undefined) return celError(`insert failed: key ${printed(key)} already exists`);
  if (map.insertable !== undefined) {
    map.insertable.set(identityOf(key), [key, value]);
    return map;
  }
  const entries: IdentityMap = new Map([[identityOf(key), [key, value]]]);
  for (const [k, v] of mapEntries(map)) entries.set(identityOf(k), [k, adapt(v)]);
  return mapOf(entries);
}
