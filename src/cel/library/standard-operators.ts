import { binary, type FunctionDeclaration, fn, type Overload, overload, unary } from '../check/declarations.js';
import { operators } from '../syntax/operators.js';
import { add, divide, modulo, multiply, negate, subtract } from '../values/arithmetic.js';
import { compareCelValues } from '../values/compare.js';
import { listContains } from '../values/equality.js';
import { findInMap } from '../values/maps.js';
import { goTypeOfCel } from '../values/printed.js';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  listType,
  mapType,
  STRING,
  TIMESTAMP,
  type Type,
  traits,
  typeParam,
  UINT,
} from '../values/type.js';
import { type CelValue, celError, isError, noSuchOverload } from '../values/value.js';

const A = typeParam('A');
const B = typeParam('B');
const listOfA = listType(A);
const mapOfAB = mapType(A, B);

const comparable: readonly (readonly [suffix: string, left: Type, right: Type])[] = [
  ['bool', BOOL, BOOL],
  ['int64', INT, INT],
  ['int64_double', INT, DOUBLE],
  ['int64_uint64', INT, UINT],
  ['uint64', UINT, UINT],
  ['uint64_double', UINT, DOUBLE],
  ['uint64_int64', UINT, INT],
  ['double', DOUBLE, DOUBLE],
  ['double_int64', DOUBLE, INT],
  ['double_uint64', DOUBLE, UINT],
  ['string', STRING, STRING],
  ['bytes', BYTES, BYTES],
  ['timestamp', TIMESTAMP, TIMESTAMP],
  ['duration', DURATION, DURATION],
];

/** The operators of the language. Source: cel-go common/stdlib/standard.go, as for all of the standard library. */
export const standardOperators: readonly FunctionDeclaration[] = [
  fn(operators.conditional, overload('conditional', [BOOL, A, A], A)),
  fn(operators.logicalAnd, overload('logical_and', [BOOL, BOOL], BOOL)),
  fn(operators.logicalOr, overload('logical_or', [BOOL, BOOL], BOOL)),
  { ...fn(operators.logicalNot, overload('logical_not', [BOOL], BOOL)), singleton: { implementation: unary(not), trait: 0 } },
  fn(operators.notStrictlyFalse, { ...overload('not_strictly_false', [BOOL], BOOL, unary(notStrictlyFalse)), nonStrict: true }),
  fn(operators.equals, overload('equals', [A, A], BOOL)),
  fn(operators.notEquals, overload('not_equals', [A, A], BOOL)),
  arithmetic(operators.add, { call: add, trait: traits.adder }, [
    same('add_bytes', BYTES),
    same('add_double', DOUBLE),
    same('add_duration_duration', DURATION),
    overload('add_duration_timestamp', [DURATION, TIMESTAMP], TIMESTAMP),
    overload('add_timestamp_duration', [TIMESTAMP, DURATION], TIMESTAMP),
    same('add_int64', INT),
    same('add_list', listOfA),
    same('add_string', STRING),
    same('add_uint64', UINT),
  ]),
  arithmetic(operators.divide, { call: divide, trait: traits.divider }, [
    same('divide_double', DOUBLE),
    same('divide_int64', INT),
    same('divide_uint64', UINT),
  ]),
  arithmetic(operators.modulo, { call: modulo, trait: traits.modder }, [same('modulo_int64', INT), same('modulo_uint64', UINT)]),
  arithmetic(operators.multiply, { call: multiply, trait: traits.multiplier }, [
    same('multiply_double', DOUBLE),
    same('multiply_int64', INT),
    same('multiply_uint64', UINT),
  ]),
  {
    ...fn(operators.negate, overload('negate_double', [DOUBLE], DOUBLE), overload('negate_int64', [INT], INT)),
    singleton: {
      implementation: unary(value => (typeof value === 'boolean' ? noSuchOverload(value) : negate(value))),
      trait: traits.negator,
    },
  },
  arithmetic(operators.subtract, { call: subtract, trait: traits.subtractor }, [
    same('subtract_double', DOUBLE),
    same('subtract_duration_duration', DURATION),
    same('subtract_int64', INT),
    overload('subtract_timestamp_duration', [TIMESTAMP, DURATION], TIMESTAMP),
    overload('subtract_timestamp_timestamp', [TIMESTAMP, TIMESTAMP], DURATION),
    same('subtract_uint64', UINT),
  ]),
  comparison(operators.less, 'less', order => order < 0),
  comparison(operators.lessEquals, 'less_equals', order => order <= 0),
  comparison(operators.greater, 'greater', order => order > 0),
  comparison(operators.greaterEquals, 'greater_equals', order => order >= 0),
  fn(operators.index, overload('index_list', [listOfA, INT], A), overload('index_map', [mapOfAB, A], B)),
  {
    ...fn(operators.in, overload('in_list', [A, listOfA], BOOL), overload('in_map', [A, mapOfAB], BOOL)),
    singleton: { implementation: binary(isIn), trait: 0 },
  },
];

function same(id: string, type: Type): Overload {
  return overload(id, [type, type], type);
}

function arithmetic(
  name: string,
  { call, trait }: { readonly call: (a: CelValue, b: CelValue) => CelValue; readonly trait: number },
  overloads: readonly Overload[],
): FunctionDeclaration {
  return { name, overloads, singleton: { implementation: binary(call), trait } };
}

function comparison(name: string, prefix: string, holds: (order: number) => boolean): FunctionDeclaration {
  const implementation = binary((a, b) => {
    const order = compareCelValues(a, b);
    return typeof order === 'number' ? holds(order) : order;
  });
  const overloads = comparable.map(([suffix, left, right]) => overload(`${prefix}_${suffix}`, [left, right], BOOL));
  return { name, overloads, singleton: { implementation, trait: traits.comparer } };
}

function not(value: CelValue): CelValue {
  return typeof value === 'boolean' ? !value : noSuchOverload(value);
}

/** The loop condition helper: errors do not end a loop. */
function notStrictlyFalse(value: CelValue): CelValue {
  return typeof value === 'boolean' ? value : true;
}

function isIn(element: CelValue, aggregate: CelValue): CelValue {
  if (typeof aggregate !== 'object' || isError(aggregate)) return noSuchOverload(aggregate);
  if (aggregate.kind === 'list') return listContains(aggregate, element);
  if (aggregate.kind !== 'map' || aggregate.unescapes === 'always') return noSuchOverload(aggregate);
  if (aggregate.typed !== undefined && typeof element !== 'string') return celError(`unsupported map key type: ${goTypeOfCel(element)}`);
  return findInMap(aggregate, element) !== undefined;
}
