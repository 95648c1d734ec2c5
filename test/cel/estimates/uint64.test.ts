import { expect, it } from 'vitest';
import { replacedSize } from '../../../src/cel/estimates/replaced-size.js';
import { exactSize, unknownSize } from '../../../src/cel/estimates/size-estimate.js';
import { cappedProduct, cappedSum, greatestUint64, scaledUp, wrapped } from '../../../src/cel/estimates/uint64.js';

it('saturates at the maximum', () => {
  expect(cappedSum(greatestUint64, 1n, greatestUint64)).toBe(greatestUint64);
  expect(cappedProduct(2n ** 40n, 2n ** 40n)).toBe(greatestUint64);
  expect(scaledUp(greatestUint64, 1)).toBe(greatestUint64);
  expect(scaledUp(2n, 2 ** 63)).toBe(greatestUint64);
});

it('rounds up, in floating point', () => {
  expect(scaledUp(21n, 0.1)).toBe(3n);
  expect(scaledUp(0n, 0.25)).toBe(0n);
  expect(scaledUp(2n ** 53n + 1n, 1)).toBe(2n ** 53n);
});

it('wraps around where Go does', () => {
  expect(wrapped(greatestUint64 * 2n + 2n)).toBe(0n);
  expect(wrapped(1n - 2n)).toBe(greatestUint64);
});

it('estimates the maximum length of a string', () => {
  const text = { least: 2n, most: 10n };
  expect(replacedSize(text, exactSize(0n), exactSize(3n))).toEqual({ least: 11n, most: 43n });
  expect(replacedSize(text, exactSize(3n), exactSize(1n))).toEqual({ least: 1n, most: 10n });
  expect(replacedSize(text, exactSize(3n), exactSize(6n))).toEqual({ least: 2n, most: 24n });
  // The quotient overflows uint64.
  expect(replacedSize(unknownSize, exactSize(1n), exactSize(2n)).most).toBe(greatestUint64);
});
