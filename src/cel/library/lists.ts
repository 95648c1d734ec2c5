import { binary, type FunctionDeclaration, fn, member, overload, unary, variadic } from '../check/declarations.js';
import { compare } from '../values/compare.js';
import { equalTo } from '../values/equality.js';
import { itemAt, itemsOf } from '../values/found.js';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listTraits,
  listType,
  STRING,
  TIMESTAMP,
  type Type,
  typeParam,
  UINT,
} from '../values/type.js';
import { typeOf } from '../values/type-of.js';
import { type CelList, type CelValue, celError, isList, listOf, noSuchOverload } from '../values/value.js';

const T = typeParam('T');
const listT = listType(T);
const sortable: readonly Type[] = [INT, UINT, DOUBLE, BOOL, DURATION, TIMESTAMP, STRING, BYTES];

/** List library, version 3. Source: cel-go ext/lists.go. */
export const listFunctions: readonly FunctionDeclaration[] = [
  fn(
    'slice',
    member(
      'list_slice',
      [listT, INT, INT],
      listT,
      variadic((list = '', start = 0n, end = 0n) => slice(list, start, end)),
    ),
  ),
  {
    ...fn(
      'flatten',
      member(
        'list_flatten',
        [listType(listT)],
        listT,
        unary(list => flatten(list, 1n)),
      ),
      member('list_flatten_int', [listType(DYN), INT], listType(DYN), binary(flatten)),
    ),
    unguarded: true,
  },
  {
    ...fn('sort', ...sortable.map(t => member(`list_${t.name}_sort`, [listType(t)], listType(t)))),
    singleton: { implementation: unary(list => sortBy(list, list)), trait: listTraits },
  },
  {
    ...fn('@sortByAssociatedKeys', ...sortable.map(t => member(`list_${t.name}_sortByAssociatedKeys`, [listT, listType(t)], listT))),
    singleton: { implementation: binary(sortBy), trait: listTraits },
  },
  fn('lists.range', overload('lists_range', [INT], listType(INT), unary(range))),
  fn(
    'reverse',
    member(
      'list_reverse',
      [listT],
      listT,
      unary(list => withItems(list, items => listOf([...items].reverse()))),
    ),
  ),
  fn(
    'distinct',
    member(
      'list_distinct',
      [listT],
      listT,
      unary(list => (isList(list) && list.items.length === 0 ? list : withItems(list, distinct))),
    ),
  ),
];

function withItems(list: CelValue, use: (items: readonly CelValue[]) => CelValue): CelValue {
  return isList(list) ? use(itemsOf(list)) : noSuchOverload(list);
}

function slice(list: CelValue, start: CelValue, end: CelValue): CelValue {
  if (!isList(list) || typeof start !== 'bigint' || typeof end !== 'bigint') return noSuchOverload();
  const call = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) return celError(`${call}, negative indexes not supported`);
  if (start > end) return celError(`${call}, start index must be less than or equal to end index`);
  if (BigInt(list.items.length) < end) return celError(`${call}, list is length ${list.items.length}`);
  return listOf(itemsOf(list).slice(Number(start), Number(end)));
}

function flatten(list: CelValue, depth: CelValue): CelValue {
  if (!isList(list)) return celError(`no such overload: ${typeOf(list).name}.flatten()`);
  if (typeof depth !== 'bigint') return celError(`no such overload: list.flatten(${typeOf(depth).name})`);
  if (depth < 0n) return celError('level must be non-negative');
  return listOf(flattened(list, depth));
}

function flattened(list: CelList, depth: bigint): readonly CelValue[] {
  return itemsOf(list).flatMap(item => (isList(item) && depth > 0n ? flattened(item, depth - 1n) : [item]));
}

/** A list that exceeds the cost limit is never seen beyond its length. */
function range(count: CelValue): CelValue {
  if (typeof count !== 'bigint') return noSuchOverload(count);
  const items: bigint[] = [];
  if (count > maxRangeLength) {
    items.length = Number(count < maxArrayLength ? count : maxArrayLength);
    return listOf(items);
  }
  for (let i = 0n; i < count; i += 1n) items.push(i);
  return listOf(items);
}

const maxRangeLength = 1_000_000n;
const maxArrayLength = 2n ** 32n - 1n;
/** Comparing the elements of a longer list with each other exceeds the cost limit, so the result is never seen. */
const maxCompared = 1000;

/** Values with equal keys keep their order here; Go's order is unspecified. */
function sortBy(list: CelValue, keys: CelValue): CelValue {
  if (!isList(list) || !isList(keys)) return noSuchOverload();
  const { length } = list.items;
  if (length !== keys.items.length) {
    const sizes = `but got ${length} and ${keys.items.length} elements respectively`;
    return celError(`@sortByAssociatedKeys() expected a list of the same size as the associated keys list, ${sizes}`);
  }
  if (length === 0) return list;
  const first = itemAt(keys, 0);
  if (typeof compare(first, first) !== 'number' && !(typeof first === 'number')) return celError('list elements must be comparable');
  const sorted = itemsOf(keys).map((key, i) => ({ key, i }));
  if (length > 1 && sorted.some(({ key }) => typeOf(key) !== typeOf(first))) return celError('list elements must have the same type');
  sorted.sort((a, b) => {
    const order = compare(a.key, b.key);
    return typeof order === 'number' ? order : 0;
  });
  return listOf(sorted.map(({ i }) => itemAt(list, i)));
}

function distinct(items: readonly CelValue[]): CelValue {
  if (items.length > maxCompared) return listOf(items);
  const unique: CelValue[] = [];
  for (const item of items) if (!unique.some(other => equalTo(item, other) === true)) unique.push(item);
  return listOf(unique);
}
