import { binary, type FunctionDeclaration, fn, overload, variadic } from '../check/declarations.js';
import { insertIntoMap } from '../values/map-insert.js';
import { findInMap, mapKeys } from '../values/maps.js';
import { mapType, typeParam } from '../values/type.js';
import { type CelValue, isMap, noSuchOverload } from '../values/value.js';

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
  return isMap(map) ? insertIntoMap(map, key, value) : noSuchOverload(map);
}

function insertAll(map: CelValue, added: CelValue): CelValue {
  if (!isMap(added)) return noSuchOverload(added);
  let result = map;
  for (const key of mapKeys(added)) {
    if (!isMap(result)) return result;
    result = insertIntoMap(result, key, findInMap(added, key) ?? '');
  }
  return result;
}
