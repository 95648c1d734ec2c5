import {
  addQuantities,
  approximateFloat,
  compareQuantities,
  int64OfQuantity,
  parseBoundedQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  quantityOf,
  quantitySign,
  quantityText,
  sameQuantity,
  subtractQuantities,
} from '../../kubernetes/quantity.js';
import { binary, type FunctionDeclaration, fn, memberDeclaration, overload, unary } from '../check/declarations.js';
import { extensionKind } from '../values/extension.js';
import { textInside } from '../values/found.js';
import { minInt } from '../values/numbers.js';
import { BOOL, DOUBLE, INT, STRING, structType } from '../values/type.js';
import { type CelError, type CelValue, celError, type ExtensionValue, noSuchOverload } from '../values/value.js';

/** A resource quantity. */
export const QUANTITY = structType('kubernetes.Quantity', 0);
const quantities = extensionKind<Held>(QUANTITY);

/** Sums are pointers in Go: as the right operand, they cannot be compared. */
interface Held {
  readonly quantity: Quantity;
  readonly pointer: boolean;
}

/** Resource quantities. Source: apiserver pkg/cel/library/quantity.go. */
export const quantityFunctions: readonly FunctionDeclaration[] = [
  ...parsersWith(parseQuantity),
  fn(
    'sign',
    overload(
      'quantity_sign',
      [QUANTITY],
      INT,
      unary(q => withQuantity(q, quantity => BigInt(quantitySign(quantity)))),
    ),
  ),
  fn(
    'isGreaterThan',
    memberDeclaration(
      'quantity_is_greater_than',
      [QUANTITY, QUANTITY],
      BOOL,
      binary((a, b) => compared(a, b, order => order > 0)),
    ),
  ),
  fn(
    'isLessThan',
    memberDeclaration(
      'quantity_is_less_than',
      [QUANTITY, QUANTITY],
      BOOL,
      binary((a, b) => compared(a, b, order => order < 0)),
    ),
  ),
  fn(
    'compareTo',
    memberDeclaration(
      'quantity_compare_to',
      [QUANTITY, QUANTITY],
      INT,
      binary((a, b) => compared(a, b, BigInt)),
    ),
  ),
  fn(
    'asApproximateFloat',
    memberDeclaration(
      'quantity_get_float',
      [QUANTITY],
      DOUBLE,
      unary(q => withQuantity(q, approximateFloat)),
    ),
  ),
  fn(
    'asInteger',
    memberDeclaration(
      'quantity_get_int',
      [QUANTITY],
      INT,
      unary(q => withQuantity(q, quantity => int64OfQuantity(quantity) ?? celError('cannot convert value to integer'))),
    ),
  ),
  fn(
    'isInteger',
    memberDeclaration(
      'quantity_is_integer',
      [QUANTITY],
      BOOL,
      unary(q => withQuantity(q, quantity => int64OfQuantity(quantity) !== undefined)),
    ),
  ),
  fn(
    'add',
    memberDeclaration(
      'quantity_add',
      [QUANTITY, QUANTITY],
      QUANTITY,
      binary((a, b) => combined(a, b, addQuantities)),
    ),
    memberDeclaration(
      'quantity_add_int',
      [QUANTITY, INT],
      QUANTITY,
      binary((a, b) => combined(a, b, addQuantities)),
    ),
  ),
  fn(
    'sub',
    memberDeclaration(
      'quantity_sub',
      [QUANTITY, QUANTITY],
      QUANTITY,
      binary((a, b) => combined(a, b, subtractQuantities)),
    ),
    memberDeclaration(
      'quantity_sub_int',
      [QUANTITY, INT],
      QUANTITY,
      binary((a, b) => combined(a, b, (x, y) => (b === minInt && isPlainNumber(x) ? addQuantities(x, y) : subtractQuantities(x, y)))),
    ),
  ),
];

function quantityValue(quantity: Quantity, pointer: boolean): ExtensionValue {
  const goText = quantityText(quantity);
  return quantities.make({
    content: { quantity, pointer },
    equals: other => (other.pointer ? undefined : sameQuantity(quantity, other.quantity)),
    goText,
    goType: pointer ? '*cel.Quantity' : 'cel.Quantity',
    inner: { goType: '*resource.Quantity', goText },
  });
}

type QuantityParser = (text: string) => Quantity;

/** The functions that parse, as of v1.38. */
export const boundedQuantityFunctions: readonly FunctionDeclaration[] = parsersWith(parseBoundedQuantity);

function parsersWith(parse: QuantityParser): readonly FunctionDeclaration[] {
  return [
    fn(
      'quantity',
      overload(
        'string_to_quantity',
        [STRING],
        QUANTITY,
        unary(text => toQuantity(text, parse)),
      ),
    ),
    fn(
      'isQuantity',
      overload(
        'is_quantity_string',
        [STRING],
        BOOL,
        unary(text => isQuantity(text, parse)),
      ),
    ),
  ];
}

function withQuantity(value: CelValue, use: (quantity: Quantity) => CelValue): CelValue {
  const held = quantities.contentOf(value);
  return held === undefined ? noSuchOverload(value) : use(held.quantity);
}

function parsedQuantity(text: string, parse: QuantityParser): Quantity | CelError {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof QuantityError) return celError(error.message);
    throw error;
  }
}

function toQuantity(value: CelValue, parse: QuantityParser): CelValue {
  const text = textInside(value);
  if (text === undefined) return noSuchOverload(value);
  const quantity = parsedQuantity(text, parse);
  return 'kind' in quantity ? quantity : quantityValue(quantity, false);
}

function isQuantity(value: CelValue, parse: QuantityParser): CelValue {
  const text = textInside(value);
  return text === undefined ? noSuchOverload(value) : !('kind' in parsedQuantity(text, parse));
}

function compared(a: CelValue, b: CelValue, answer: (order: number) => CelValue): CelValue {
  const left = quantities.contentOf(a);
  const right = quantities.contentOf(b);
  if (left === undefined || right === undefined) return noSuchOverload(a);
  return answer(compareQuantities(left.quantity, right.quantity));
}

/** Integers are added as quantities with an exponent. */
function combined(a: CelValue, b: CelValue, combine: (x: Quantity, y: Quantity) => Quantity): CelValue {
  const left = quantities.contentOf(a);
  const right = typeof b === 'bigint' ? quantityOf(b, 'DecimalExponent') : quantities.contentOf(b)?.quantity;
  if (left === undefined || right === undefined) return noSuchOverload(a);
  return quantityValue(combine(left.quantity, right), true);
}

/** The minimum integer is its own negative in Go: unless something else overflows, it is added instead of subtracted. */
function isPlainNumber(quantity: Quantity): boolean {
  const value = int64OfQuantity(quantity);
  return value !== undefined && value >= 0n;
}
