import { expect, it } from 'vitest';
import { replacedSize } from '../../../src/cel/estimates/kubernetes-call-estimate.js';
import { exactSize, unknownSize } from '../../../src/cel/estimates/size-estimate.js';
import { cappedProduct, cappedSum, maxUint64, scaledUp, wrappedUint64 } from '../../../src/cel/estimates/uint64.js';

it('saturates at the maximum', () => {
  expect(cappedSum(maxUint64, 1n, maxUint64)).toBe(maxUint64);
  expect(cappedProduct(2n ** 40n, 2n ** 40n)).toBe(maxUint64);
  expect(scaledUp(maxUint64, 1)).toBe(maxUint64);
  expect(scaledUp(2n, 2 ** 63)).toBe(maxUint64);
});

it('rounds up, in floating point', () => {
  expect(scaledUp(21n, 0.1)).toBe(3n);
  expect(scaledUp(0n, 0.25)).toBe(0n);
  expect(scaledUp(2n ** 53n + 1n, 1)).toBe(2n ** 53n);
});

it('wraps around where Go does', () => {
  expect(wrappedUint64(maxUint64 * 2n + 2n)).toBe(0n);
  expect(wrappedUint64(1n - 2n)).toBe(maxUint64);
});

it('estimates the maximum length of a string', () => {
  const text = { min: 2n, max: 10n };
  expect(replacedSize(text, exactSize(0n), exactSize(3n))).toEqual({ min: 11n, max: 43n });
  expect(replacedSize(text, exactSize(3n), exactSize(1n))).toEqual({ min: 1n, max: 10n });
  expect(replacedSize(text, exactSize(3n), exactSize(6n))).toEqual({ min: 2n, max: 24n });
  // The quotient overflows uint64.
  expect(replacedSize(unknownSize, exactSize(1n), exactSize(2n)).max).toBe(maxUint64);
});
