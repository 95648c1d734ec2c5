import { describe, expect, test } from 'vitest';
import {
  addQuantities,
  approximateFloat,
  compareQuantities,
  int64OfQuantity,
  isZeroQuantity,
  milliValue,
  negatedQuantity,
  parseQuantity,
  QuantityError,
  quantityOf,
  quantityOfJson,
  quantitySign,
  quantityText,
  quantityValue,
  roundedUpQuantity,
  sameQuantity,
  subtractQuantities,
} from '../../src/kubernetes/quantity.js';

describe('parseQuantity', () => {
  test.each([
    ['1500m', '1500m', 'DecimalSI'],
    ['1024Mi', '1Gi', 'BinarySI'],
    ['0.5Gi', '512Mi', 'BinarySI'],
    ['0.0001Ki', '102400u', 'DecimalSI'],
    ['1e3', '1e3', 'DecimalExponent'],
    ['+1', '+1', 'DecimalSI'],
    ['1000E', '1', 'DecimalSI'],
    ['0.1n', '1n', 'DecimalSI'],
    ['100Ei', '9223372036854775807', 'BinarySI'],
    ['-', '0', 'DecimalSI'],
    ['1e2000000000', '100e1999999998', 'DecimalExponent'],
  ])('writes %s as %s', (text, canonical, format) => {
    const quantity = parseQuantity(text);
    expect([quantityText(quantity), quantity.format]).toEqual([canonical, format]);
  });

  test.each([
    ['', /^quantities must match the regular expression/],
    ['1 ', /^quantities must match the regular expression/],
    ['1K', /^unable to parse quantity's suffix$/],
    ['.e-10', /^unable to parse numeric part of quantity$/],
  ])('rejects %j', (text, message) => {
    expect(() => parseQuantity(text)).toThrow(QuantityError);
    expect(() => parseQuantity(text)).toThrow(message);
  });
});

test.each([
  ['" 1 "', '1'],
  ['0.10', '100m'],
  ['null', '0'],
])('quantityOfJson reads %s', (raw, text) => {
  expect(quantityText(quantityOfJson(raw))).toBe(text);
});

// Recorded from resource.Quantity of apimachinery v0.36.3.
test.each([
  { a: '1500m', b: '1', sum: '2500m', difference: '500m', order: 1, value: 2n, milli: 1500n },
  { a: '1Gi', b: '500Mi', sum: '1524Mi', difference: '524Mi', order: 1, value: 1073741824n, milli: 1073741824000n },
  { a: '0', b: '1Ki', sum: '1Ki', difference: '-1Ki', order: -1, value: 0n, milli: 0n },
  { a: '100m', b: '1Ki', sum: '1024100m', difference: '-1023900m', order: -1, value: 1n, milli: 100n },
  { a: '-1.5', b: '0.3m', sum: '-1499700u', difference: '-1500300u', order: -1, value: -2n, milli: -1500n },
  { a: '1E', b: '1E', sum: '2E', difference: '0', order: 0, value: 1000000000000000000n, milli: 0n },
  { a: '0.1n', b: '5', sum: '5000000001n', difference: '-4999999999n', order: -1, value: 1n, milli: 1n },
  { a: '10Ei', b: '1', sum: '8Ei', difference: '9223372036854775806', order: 1, value: 9223372036854775807n, milli: -1000n },
])('calculates with $a and $b', ({ a, b, sum, difference, order, value, milli }) => {
  expect({
    sum: quantityText(addQuantities(a, b)),
    difference: quantityText(subtractQuantities(a, b)),
    order: compareQuantities(a, b),
    value: quantityValue(a),
    milli: milliValue(a),
  }).toEqual({ sum, difference, order, value, milli });
});

test('answers other questions of validation and CEL', () => {
  expect([isZeroQuantity('0Ki'), isZeroQuantity('1n'), quantitySign('-1'), sameQuantity('1Ki', '1024')]).toEqual([true, false, -1, true]);
  expect([int64OfQuantity('5k'), int64OfQuantity('1m'), int64OfQuantity('100Ei')]).toEqual([5000n, undefined, undefined]);
  expect([approximateFloat('1500m'), approximateFloat('1Gi')]).toEqual([1.5, 1073741824]);
  expect(quantityText(negatedQuantity('1Ki'))).toBe('-1Ki');
  expect(quantityText(roundedUpQuantity('0.0001', -3))).toBe('1m');
  expect(quantityText(quantityOf(2048n, 'BinarySI'))).toBe('2Ki');
});
