import { binary, type FunctionDeclaration, fn, overload } from '../check/declarations.js';
import { listContains } from '../values/equality.js';
import { foundItemsOf } from '../values/found.js';
import { BOOL, listType, typeParam } from '../values/type.js';
import { type CelList, type CelValue, isCelListValue, noSuchOverload } from '../values/value.js';

const listT = listType(typeParam('T'));

/** Set functions on lists. Source: cel-go ext/sets.go. */
export const setFunctions: readonly FunctionDeclaration[] = [
  fn('sets.contains', overload('list_sets_contains_list', [listT, listT], BOOL, binary(contains))),
  fn(
    'sets.equivalent',
    overload(
      'list_sets_equivalent_list',
      [listT, listT],
      BOOL,
      binary((a, b) => (contains(a, b) === true ? contains(b, a) : contains(a, b))),
    ),
  ),
  fn('sets.intersects', overload('list_sets_intersects_list', [listT, listT], BOOL, binary(intersects))),
];

function contains(list: CelValue, part: CelValue): CelValue {
  if (!isCelListValue(list) || !isCelListValue(part)) return noSuchOverload();
  if (costsTooMuch(list, part)) return false;
  return foundItemsOf(part).every(item => listContains(list, item));
}

function intersects(a: CelValue, b: CelValue): CelValue {
  if (!isCelListValue(a) || !isCelListValue(b)) return noSuchOverload();
  if (costsTooMuch(a, b)) return false;
  return foundItemsOf(a).some(item => listContains(b, item));
}

/** The cost exceeds the limit, so the result is never seen. */
function costsTooMuch(a: CelList, b: CelList): boolean {
  return a.items.length * b.items.length > 1_000_000;
}
