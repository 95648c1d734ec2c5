import { binary, type FunctionDeclaration, fn, overload, variadic } from '../check/declarations.js';
import { adapt } from '../values/found.js';
import type { IdentityMap } from '../values/maps.js';
import { findInMap, identityOf, mapEntries, mapKeys, mapOf } from '../values/maps.js';
import { printed } from '../values/printed.js';
import { mapType, typeParam } from '../values/type.js';
import type { CelMap } from '../values/value.js';
import { type CelValue, celError, isCelMapValue, noSuchOverload } from '../values/value.js';

const K = typeParam('K');
const V = typeParam('V');
const mapKV = mapType(K, V);

/** Functions that the map-building macros expand to. Source: cel-go ext/comprehensions.go. */
export const mapInsertFunctions: readonly FunctionDeclaration[] = [
  fn(
    'cel.@mapInsert',
    overload(
      '@mapInsert_map_key_value',
      [mapKV, K, V],
      mapKV,
      variadic((map = '', key = '', value = '') => insertOne(map, key, value)),
    ),
    overload('@mapInsert_map_map', [mapKV, mapKV], mapKV, binary(insertAll)),
  ),
];

function insertOne(map: CelValue, key: CelValue, value: CelValue): CelValue {
  return isCelMapValue(map) ? insertIntoMap(map, key, value) : noSuchOverload(map);
}

function insertAll(map: CelValue, added: CelValue): CelValue {
  if (!isCelMapValue(added)) return noSuchOverload(added);
  let result = map;
  for (const key of mapKeys(added)) {
    if (!isCelMapValue(result)) return result;
    result = insertIntoMap(result, key, findInMap(added, key) ?? '');
  }
  return result;
}

/** Adds an entry to a map; an accumulator is extended in place. Returns an error when the key exists. */
function insertIntoMap(map: CelMap, key: CelValue, value: CelValue): CelValue {
  if (findInMap(map, key) !== undefined) return celError(`insert failed: key ${printed(key)} already exists`);
  if (map.insertable !== undefined) {
    map.insertable.set(identityOf(key), [key, value]);
    return map;
  }
  const entries: IdentityMap = new Map([[identityOf(key), [key, value]]]);
  for (const [k, v] of mapEntries(map)) entries.set(identityOf(k), [k, adapt(v)]);
  return mapOf(entries);
}
