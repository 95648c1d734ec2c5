import { binary, type FunctionDeclaration, fn, memberDeclaration, overload, unary, variadic } from '../check/declarations.js';
import { compareCelValues } from '../values/compare.js';
import { equalTo } from '../values/equality.js';
import { foundItemsOf, itemAt } from '../values/found.js';
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
import { celTypeOf } from '../values/type-of.js';
import { type CelList, type CelValue, celError, celListOf, isCelListValue, noSuchOverload } from '../values/value.js';

const T = typeParam('T');
const listT = listType(T);
const sortable: readonly Type[] = [INT, UINT, DOUBLE, BOOL, DURATION, TIMESTAMP, STRING, BYTES];

/** List library, version 3. Source: cel-go ext/lists.go. */
export const listFunctions: readonly FunctionDeclaration[] = [
  fn(
    'slice',
    memberDeclaration(
      'list_slice',
      [listT, INT, INT],
      listT,
      variadic((list = '', start = 0n, end = 0n) => slice(list, start, end)),
    ),
  ),
  {
    ...fn(
      'flatten',
      memberDeclaration(
        'list_flatten',
        [listType(listT)],
        listT,
        unary(list => flatten(list, 1n)),
      ),
      memberDeclaration('list_flatten_int', [listType(DYN), INT], listType(DYN), binary(flatten)),
    ),
    unguarded: true,
  },
  {
    ...fn('sort', ...sortable.map(t => memberDeclaration(`list_${t.name}_sort`, [listType(t)], listType(t)))),
    singleton: { implementation: unary(list => sortBy(list, list)), trait: listTraits },
  },
  {
    ...fn(
      '@sortByAssociatedKeys',
      ...sortable.map(t => memberDeclaration(`list_${t.name}_sortByAssociatedKeys`, [listT, listType(t)], listT)),
    ),
    singleton: { implementation: binary(sortBy), trait: listTraits },
  },
  fn('lists.range', overload('lists_range', [INT], listType(INT), unary(range))),
  fn(
    'reverse',
    memberDeclaration(
      'list_reverse',
      [listT],
      listT,
      unary(list => withItems(list, items => celListOf([...items].reverse()))),
    ),
  ),
  fn(
    'distinct',
    memberDeclaration(
      'list_distinct',
      [listT],
      listT,
      unary(list => (isCelListValue(list) && list.items.length === 0 ? list : withItems(list, distinct))),
    ),
  ),
];

function withItems(list: CelValue, use: (items: readonly CelValue[]) => CelValue): CelValue {
  return isCelListValue(list) ? use(foundItemsOf(list)) : noSuchOverload(list);
}

function slice(list: CelValue, start: CelValue, end: CelValue): CelValue {
  if (!isCelListValue(list) || typeof start !== 'bigint' || typeof end !== 'bigint') return noSuchOverload();
  const call = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) return celError(`${call}, negative indexes not supported`);
  if (start > end) return celError(`${call}, start index must be less than or equal to end index`);
  if (BigInt(list.items.length) < end) return celError(`${call}, list is length ${list.items.length}`);
  return celListOf(foundItemsOf(list).slice(Number(start), Number(end)));
}

function flatten(list: CelValue, depth: CelValue): CelValue {
  if (!isCelListValue(list)) return celError(`no such overload: ${celTypeOf(list).name}.flatten()`);
  if (typeof depth !== 'bigint') return celError(`no such overload: list.flatten(${celTypeOf(depth).name})`);
  if (depth < 0n) return celError('level must be non-negative');
  return celListOf(flattened(list, depth));
}

function flattened(list: CelList, depth: bigint): readonly CelValue[] {
  return foundItemsOf(list).flatMap(item => (isCelListValue(item) && depth > 0n ? flattened(item, depth - 1n) : [item]));
}

/** A list that exceeds the cost limit is never seen beyond its length. */
function range(count: CelValue): CelValue {
  if (typeof count !== 'bigint') return noSuchOverload(count);
  const items: bigint[] = [];
  if (count > maxRangeLength) {
    items.length = Number(count < maxArrayLength ? count : maxArrayLength);
    return celListOf(items);
  }
  for (let i = 0n; i < count; i += 1n) items.push(i);
  return celListOf(items);
}

const maxRangeLength = 1_000_000n;
const maxArrayLength = 2n ** 32n - 1n;
/** Comparing the elements of a longer list with each other exceeds the cost limit, so the result is never seen. */
const maxCompared = 1000;

/** Values with equal keys keep their order here; Go's order is unspecified. */
function sortBy(list: CelValue, keys: CelValue): CelValue {
  if (!isCelListValue(list) || !isCelListValue(keys)) return noSuchOverload();
  const { length } = list.items;
  if (length !== keys.items.length) {
    const sizes = `but got ${length} and ${keys.items.length} elements respectively`;
    return celError(`@sortByAssociatedKeys() expected a list of the same size as the associated keys list, ${sizes}`);
  }
  if (length === 0) return list;
  const first = itemAt(keys, 0);
  if (typeof compareCelValues(first, first) !== 'number' && !(typeof first === 'number'))
    return celError('list elements must be comparable');
  const sorted = foundItemsOf(keys).map((key, i) => ({ key, i }));
  if (length > 1 && sorted.some(({ key }) => celTypeOf(key) !== celTypeOf(first))) return celError('list elements must have the same type');
  sorted.sort((a, b) => {
    const order = compareCelValues(a.key, b.key);
    return typeof order === 'number' ? order : 0;
  });
  return celListOf(sorted.map(({ i }) => itemAt(list, i)));
}

function distinct(items: readonly CelValue[]): CelValue {
  if (items.length > maxCompared) return celListOf(items);
  const unique: CelValue[] = [];
  for (const item of items) if (!unique.some(other => equalTo(item, other) === true)) unique.push(item);
  return celListOf(unique);
}
