import { adapt } from './found.js';
import { findInMap, type IdentityMap, identityOf, mapEntries, mapOf } from './maps.js';
import { printed } from './printed.js';
import { type CelMap, type CelValue, celError } from './value.js';

/** A map with one entry more; an accumulator takes it in. An error when the key is there already. */
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
