import { adapt, itemAt } from './found.js';
import { celMapSize, findInMap, mapKeys } from './maps.js';
import { compareNumbers, isNumber } from './numbers.js';
import { schemedListEqual, schemedMapEqual } from './schemed.js';
import { typedListEqual, typedMapEqual } from './typed.js';
import { type CelList, type CelMap, type CelValue, isError, noSuchOverload } from './value.js';

/** `==`: null equals only null. Comparing extension values with others may be an error. Source: cel-go types.Equal. */
export function equal(a: CelValue, b: CelValue): CelValue {
  const aNull = isNull(a);
  const bNull = isNull(b);
  return aNull || bNull ? aNull === bNull : equalTo(a, b);
}

/** Dispatches to the value's own equality. Source: cel-go, the Equal methods. */
export function equalTo(a: CelValue, b: CelValue): CelValue {
  if (isNumber(a)) return isNumber(b) && compareNumbers(a, b) === 0;
  if (typeof a !== 'object') return a === b;
  switch (a.kind) {
    case 'error':
      return a;
    case 'extension':
      return a.equals(b);
    case 'list':
      if (a.schemed !== undefined) return isObject(b, 'list') ? schemedListEqual(a, a.schemed, b, equalTo) : noSuchOverload(b);
      if (a.typed) return isObject(b, 'list') ? typedListEqual(a, b, equalTo) : noSuchOverload(b);
      return isObject(b, 'list') && listsEqual(a, b);
    case 'map':
      if (a.schemed !== undefined) return isObject(b, 'map') ? schemedMapEqual(a, a.schemed, b, equalTo) : noSuchOverload(b);
      if (a.typed !== undefined) return isObject(b, 'map') ? typedMapEqual(a, a.typed, b, equalTo) : noSuchOverload(b);
      return isObject(b, 'map') && mapsEqual(a, b);
    case 'optional':
      return isObject(b, 'optional') && optionalsEqual(a.value, b.value);
    default:
      return equalScalars(a, b);
  }
}

/** Reports whether a list contains a value. Source: cel-go, the Contains methods of lists. */
export function listContains(list: CelList, value: CelValue): boolean {
  return list.items.some(item => (list.typed ? equalTo(adapt(item), value) : equalTo(value, adapt(item))) === true);
}

function isNull(value: CelValue): boolean {
  return typeof value === 'object' && value.kind === 'null';
}

type CelObject = Extract<CelValue, { readonly kind: string }>;

function isObject<K extends CelObject['kind']>(value: CelValue, kind: K): value is Extract<CelObject, { readonly kind: K }> {
  return typeof value === 'object' && value.kind === kind;
}

function equalScalars(a: CelObject, b: CelValue): boolean {
  switch (a.kind) {
    case 'null':
      return isObject(b, 'null');
    case 'bytes':
      return isObject(b, 'bytes') && Buffer.compare(a.bytes, b.bytes) === 0;
    case 'timestamp':
      return isObject(b, 'timestamp') && a.seconds === b.seconds && a.nanoseconds === b.nanoseconds;
    case 'duration':
      return isObject(b, 'duration') && a.nanoseconds === b.nanoseconds;
    case 'type':
      return isObject(b, 'type') && a.type.name === b.type.name;
    default:
      return false;
  }
}

/** Elements that cannot be compared count as equal, except in a concatenated list. */
function listsEqual(a: CelList, b: CelList): CelValue {
  if (a.items.length !== b.items.length) return false;
  let error: CelValue | undefined;
  for (let i = 0; i < a.items.length; i += 1) {
    const same = equal(itemAt(a, i), itemAt(b, i));
    if (same === false) return false;
    if (isError(same)) error ??= same;
  }
  return a.goType === 'concatList' && error !== undefined ? error : true;
}

function mapsEqual(a: CelMap, b: CelMap): boolean {
  if (celMapSize(a) !== celMapSize(b)) return false;
  return mapKeys(a).every(key => {
    const mine = findInMap(a, key);
    const other = findInMap(b, key);
    return mine !== undefined && other !== undefined && equal(mine, other) !== false;
  });
}

function optionalsEqual(a: CelValue | undefined, b: CelValue | undefined): CelValue {
  if (a === undefined || b === undefined) return a === b;
  return equalTo(a, b);
}
