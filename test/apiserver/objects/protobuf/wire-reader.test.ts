import { describe, expect, it } from 'vitest';
import { wireFields } from '../../../../src/apiserver/objects/protobuf/wire-reader.js';

const bitsOf = (hex: string): bigint[] => [...wireFields(Buffer.from(hex, 'hex'))].map(({ bits }) => bits);

describe('wireFields', () => {
  it.each([
    ['0800', 0n],
    ['08ff7f', 16383n],
    ['08ffffffff7f', 2n ** 35n - 1n],
    ['08ffffffffffffffff7f', 2n ** 63n - 1n],
    ['08ffffffffffffffffff01', 2n ** 64n - 1n],
    // Bits beyond the 64th are dropped.
    ['08ffffffffffffffffff7f', 2n ** 64n - 1n],
    ['0d01000080', 2n ** 31n + 1n],
    ['09010000000000f0ff', 0xfff0000000000001n],
  ])('reads the number of %s', (hex, bits) => expect(bitsOf(hex)).toEqual([bits]));

  it.each([
    ['8080808040', 'proto: message: illegal tag -2147483648 (wire type 17179869184)'],
    ['f8ffffff7f', 'proto: message: illegal tag -1 (wire type 34359738360)'],
    ['08ffffffffffffffffffff01', 'proto: integer overflow'],
    ['0affffffffffffffff7f', 'unexpected EOF'],
    ['0aff', 'unexpected EOF'],
    ['0d0100', 'unexpected EOF'],
  ])('refuses %s', (hex, message) => expect(() => bitsOf(hex)).toThrow(message));

  it('reads the largest number of a field', () => {
    expect([...wireFields(Buffer.from('f8ffffff0f00', 'hex'))][0]?.number).toBe(2 ** 29 - 1);
  });
});
