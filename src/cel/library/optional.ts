import { type FunctionDeclaration, fn, memberDeclaration, overload, unary, variadic } from '../check/declarations.js';
import { operators } from '../syntax/operators.js';
import { foundItemsOf, itemAt } from '../values/found.js';
import { celMapSize } from '../values/maps.js';
import { printed } from '../values/printed.js';
import { BOOL, DYN, INT, listType, mapType, optionalType, STRING, typeParam } from '../values/type.js';
import {
  type CelValue,
  celError,
  celListOf,
  isCelListValue,
  isCelOptionalValue,
  noSuchOverload,
  optionalNone,
  optionalOf,
} from '../values/value.js';

const K = typeParam('K');
const V = typeParam('V');
const optionalV = optionalType(V);
const listV = listType(V);
const mapKV = mapType(K, V);

/** Optional values. `or` and `orValue` have steps of their own. Source: cel-go cel/library.go, the optional library. */
export const optionalFunctions: readonly FunctionDeclaration[] = [
  fn('optional.of', overload('optional_of', [V], optionalV, unary(optionalOf))),
  fn(
    'optional.ofNonZeroValue',
    overload(
      'optional_ofNonZeroValue',
      [V],
      optionalV,
      unary(value => (isZero(value) ? optionalNone : optionalOf(value))),
    ),
  ),
  fn(
    'optional.none',
    overload(
      'optional_none',
      [],
      optionalV,
      variadic(() => optionalNone),
    ),
  ),
  fn('value', memberDeclaration('optional_value', [optionalV], V, unary(dereferenced))),
  fn(
    'hasValue',
    memberDeclaration(
      'optional_hasValue',
      [optionalV],
      BOOL,
      unary(value => isCelOptionalValue(value) && value.value !== undefined),
    ),
  ),
  fn('or', memberDeclaration('optional_or_optional', [optionalV, optionalV], optionalV)),
  fn('orValue', memberDeclaration('optional_orValue_value', [optionalV, V], V)),
  fn(operators.optSelect, overload('select_optional_field', [DYN, STRING], optionalV)),
  fn(
    operators.optIndex,
    overload('list_optindex_optional_int', [listV, INT], optionalV),
    overload('optional_list_optindex_optional_int', [optionalType(listV), INT], optionalV),
    overload('map_optindex_optional_value', [mapKV, K], optionalV),
    overload('optional_map_optindex_optional_value', [optionalType(mapKV), K], optionalV),
  ),
  fn(
    operators.index,
    overload('optional_list_index_int', [optionalType(listV), INT], optionalV),
    overload('optional_map_index_value', [optionalType(mapKV), K], optionalV),
  ),
  fn(
    'last',
    memberDeclaration(
      'list_last',
      [listV],
      optionalV,
      unary(list => edge(list, size => size - 1)),
    ),
  ),
  fn(
    'first',
    memberDeclaration(
      'list_first',
      [listV],
      optionalV,
      unary(list => edge(list, () => 0)),
    ),
  ),
  fn('optional.unwrap', overload('optional_unwrap', [listType(optionalV)], listV, unary(unwrap))),
  fn('unwrapOpt', memberDeclaration('optional_unwrapOpt', [listType(optionalV)], listV, unary(unwrap))),
];

/** Reports whether this is a zero value in Go. Only types with an IsZeroValue method have one. Source: cel-go, the IsZeroValue methods. */
function isZero(value: CelValue): boolean {
  if (typeof value !== 'object') return value === false || value === 0 || value === 0n || value === '';
  switch (value.kind) {
    case 'null':
      return true;
    case 'uint':
      return value.uint === 0n;
    case 'bytes':
      return value.bytes.length === 0;
    case 'list':
      return value.items.length === 0;
    case 'map':
      return celMapSize(value) === 0;
    case 'duration':
      return value.nanoseconds === 0n;
    case 'timestamp':
      // Go's zero time is January 1 of the year 1.
      return value.seconds === -62135596800n && value.nanoseconds === 0;
    default:
      return false;
  }
}

function dereferenced(optional: CelValue): CelValue {
  if (!isCelOptionalValue(optional)) return noSuchOverload(optional);
  return optional.value ?? celError('optional.none() dereference');
}

function edge(list: CelValue, index: (size: number) => number): CelValue {
  if (!isCelListValue(list)) return noSuchOverload(list);
  return list.items.length === 0 ? optionalNone : optionalOf(itemAt(list, index(list.items.length)));
}

function unwrap(list: CelValue): CelValue {
  if (!isCelListValue(list)) return noSuchOverload(list);
  const values: CelValue[] = [];
  for (const item of foundItemsOf(list)) {
    if (!isCelOptionalValue(item)) return celError(`value ${printed(item)} is not optional`);
    if (item.value !== undefined) values.push(item.value);
  }
  return celListOf(values);
}
