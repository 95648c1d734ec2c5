import { binary, type FunctionDeclaration, fn, memberDeclaration, unary } from '../check/declarations.js';
import { add } from '../values/arithmetic.js';
import { compareCelValues } from '../values/compare.js';
import { equalTo } from '../values/equality.js';
import { foundItemsOf } from '../values/found.js';
import { mapKeys } from '../values/maps.js';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listType,
  STRING,
  TIMESTAMP,
  type Type,
  traits,
  typeParam,
  UINT,
} from '../values/type.js';
import { hasTrait } from '../values/type-of.js';
import { type CelValue, celDuration, celError, isCelListValue, isCelMapValue, noSuchOverload, uint } from '../values/value.js';

type Named = readonly [name: string, type: Type];

const A = typeParam('A');
const comparable: readonly Named[] = [
  ['int', INT],
  ['uint', UINT],
  ['double', DOUBLE],
  ['bool', BOOL],
  ['duration', DURATION],
  ['timestamp', TIMESTAMP],
  ['string', STRING],
  ['bytes', BYTES],
];
const summable: readonly (readonly [name: string, type: Type, zero: CelValue])[] = [
  ['int', INT, 0n],
  ['uint', UINT, uint(0n)],
  ['double', DOUBLE, 0],
  ['duration', DURATION, celDuration(0n)],
];

/** Kubernetes' list functions. Source: apiserver pkg/cel/library/lists.go. */
export const kubernetesListFunctions: readonly FunctionDeclaration[] = [
  fn(
    'isSorted',
    ...comparable.map(([name, type]) => memberDeclaration(`list_${name}_is_sorted_bool`, [listType(type)], BOOL, unary(isSorted))),
  ),
  fn(
    'sum',
    ...summable.map(([name, type, zero]) =>
      memberDeclaration(
        `list_${name}_sum_${name}`,
        [listType(type)],
        type,
        unary(list => sum(list, zero)),
      ),
    ),
  ),
  fn(
    'max',
    ...comparable.map(([name, type]) =>
      memberDeclaration(
        `list_${name}_max_${name}`,
        [listType(type)],
        type,
        unary(list => extreme(list, 'max', -1)),
      ),
    ),
  ),
  fn(
    'min',
    ...comparable.map(([name, type]) =>
      memberDeclaration(
        `list_${name}_min_${name}`,
        [listType(type)],
        type,
        unary(list => extreme(list, 'min', 1)),
      ),
    ),
  ),
  fn(
    'indexOf',
    memberDeclaration(
      'list_a_index_of_int',
      [listType(A), A],
      INT,
      binary((list, item) => indexOf(list, item, 'first')),
    ),
  ),
  fn(
    'lastIndexOf',
    memberDeclaration(
      'list_a_last_index_of_int',
      [listType(A), A],
      INT,
      binary((list, item) => indexOf(list, item, 'last')),
    ),
  ),
];

/** Added by v1.37. Source: the same file, version 1 of the library. */
export const includesFunction: FunctionDeclaration = fn(
  'includes',
  memberDeclaration('list_includes_dyn_dyn', [DYN, DYN], BOOL, binary(includes)),
);

/** Items of a Go range loop: elements, or keys. */
function iterated(value: CelValue): readonly CelValue[] | undefined {
  if (isCelListValue(value)) return foundItemsOf(value);
  return isCelMapValue(value) ? mapKeys(value) : undefined;
}

function isSorted(list: CelValue): CelValue {
  let previous: CelValue | undefined;
  for (const item of iterated(list) ?? []) {
    if (!hasTrait(item, traits.comparer)) return noSuchOverload(item);
    if (previous !== undefined && compareCelValues(previous, item) === 1) return false;
    previous = item;
  }
  return iterated(list) === undefined ? noSuchOverload(list) : true;
}

function sum(list: CelValue, zero: CelValue): CelValue {
  let total = zero;
  for (const item of iterated(list) ?? []) {
    if (!hasTrait(item, traits.adder)) return noSuchOverload(item);
    const next = add(total, item);
    if (!hasTrait(next, traits.adder)) return noSuchOverload(next);
    total = next;
  }
  return iterated(list) === undefined ? noSuchOverload(list) : total;
}

/** The minimum or maximum element, by the given comparison. */
function extreme(list: CelValue, name: string, preferred: number): CelValue {
  let best: CelValue | undefined;
  for (const item of iterated(list) ?? []) {
    if (!hasTrait(item, traits.comparer)) return noSuchOverload(item);
    if (best === undefined || compareCelValues(best, item) === preferred) best = item;
  }
  return iterated(list) === undefined ? noSuchOverload(list) : (best ?? celError(`${name} called on empty list`));
}

function indexOf(list: CelValue, item: CelValue, which: 'first' | 'last'): CelValue {
  if (!isCelListValue(list)) return noSuchOverload(list);
  const items = foundItemsOf(list);
  const found = (element: CelValue) => equalTo(element, item) === true;
  return BigInt(which === 'first' ? items.findIndex(found) : items.findLastIndex(found));
}

/** A value that is no list includes itself. */
function includes(value: CelValue, item: CelValue): CelValue {
  return isCelListValue(value) ? foundItemsOf(value).some(element => equalTo(element, item) === true) : equalTo(value, item) === true;
}
