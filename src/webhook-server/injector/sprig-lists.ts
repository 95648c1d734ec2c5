import { type GoFunction, goFunction } from '../../go-template/functions.js';
import { type GoValue, goList, isGoList, isGoMap, isGoStruct, typeOf, withoutType } from '../../go-template/values.js';

/** List functions of sprig. Source: Masterminds/sprig list.go. */
export const listFunctions: readonly (readonly [string, GoFunction])[] = [
  ['list', goFunction(['any', '...'], (...values) => goList(values))],
  ['tuple', goFunction(['any', '...'], (...values) => goList(values))],
  ['first', goFunction(['any'], list => itemsOf(list, 'find first').at(0) ?? null)],
  ['last', goFunction(['any'], list => itemsOf(list, 'find last').at(-1) ?? null)],
  ['rest', goFunction(['any'], list => goList(itemsOf(list, 'find rest').slice(1)))],
  ['append', goFunction(['any', 'any'], (list, value) => goList([...itemsOf(list, 'push'), value]))],
  ['prepend', goFunction(['any', 'any'], (list, value) => goList([value, ...itemsOf(list, 'prepend')]))],
  ['has', goFunction(['any', 'any'], (needle, list) => !isNil(list) && itemsOf(list, 'find has').some(item => isEqual(item, needle)))],
  ['until', goFunction(['int'], count => countedTo(Number(count)))],
];

function isNil(value: GoValue): value is undefined | null {
  return value === undefined || value === null;
}

function itemsOf(list: GoValue, what: string): readonly GoValue[] {
  if (isGoList(list)) return list.items;
  if (isNil(list)) throw new Error('runtime error: invalid memory address or nil pointer dereference');
  throw new Error(`Cannot ${what} on type ${kindOf(list)}`);
}

/** Source: reflect.Type.Kind. */
function kindOf(value: GoValue): string {
  if (isGoMap(value)) return 'map';
  return isGoStruct(value) ? 'struct' : typeOf(value);
}

/** Compares values and their types. Source: reflect.DeepEqual. */
function isEqual(a: GoValue, b: GoValue): boolean {
  if (typeOf(a) !== typeOf(b) && !isNil(a) && !isNil(b)) return false;
  const [left, right] = [withoutType(a), withoutType(b)];
  if (isNil(left) || isNil(right)) return isNil(left) && isNil(right);
  if (isGoList(left) && isGoList(right)) {
    const { items } = right;
    return left.element === right.element && left.items.length === items.length && left.items.every((item, i) => isEqual(item, items[i]));
  }
  if (isGoMap(left) && isGoMap(right)) {
    const { entries } = right;
    const isSame = ([key, value]: [string, GoValue]): boolean => entries.has(key) && isEqual(value, entries.get(key));
    return left.element === right.element && left.entries.size === entries.size && [...left.entries].every(isSame);
  }
  return left === right;
}

/** Returns the integers from 0 to a limit, without it. Source: sprig numeric.go until. */
function countedTo(limit: number): GoValue {
  const step = limit < 0 ? -1 : 1;
  return goList(
    Array.from({ length: Math.abs(limit) }, (_, i) => BigInt(i * step)),
    'int',
  );
}
