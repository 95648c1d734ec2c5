import { type GoFunction, goFunction } from '../../go-template/functions.js';
import { type GoValue, goList, isGoList, typeOf } from '../../go-template/values.js';

/** sprig's functions of lists. Source: Masterminds/sprig list.go. */
export const listFunctions: readonly (readonly [string, GoFunction])[] = [
  ['list', goFunction(['any', '...'], (...values) => goList(values))],
  ['tuple', goFunction(['any', '...'], (...values) => goList(values))],
  ['first', goFunction(['any'], list => itemsOf(list, 'first').at(0))],
  ['last', goFunction(['any'], list => itemsOf(list, 'last').at(-1))],
  ['rest', goFunction(['any'], list => goList(itemsOf(list, 'rest').slice(1)))],
  ['append', goFunction(['any', 'any'], (list, value) => goList([...itemsOf(list, 'push'), value]))],
  ['prepend', goFunction(['any', 'any'], (list, value) => goList([value, ...itemsOf(list, 'prepend')]))],
  ['has', goFunction(['any', 'any'], (needle, list) => itemsOf(list, 'find').includes(needle))],
  [
    'until',
    goFunction(['int'], count =>
      goList(
        Array.from({ length: Math.max(0, Number(count)) }, (_, i) => BigInt(i)),
        'int',
      ),
    ),
  ],
];

function itemsOf(list: GoValue, what: string): readonly GoValue[] {
  if (isGoList(list)) return list.items;
  throw new Error(`Cannot ${what} on type ${typeOf(list)}`);
}
