import { expect, test } from 'vitest';
import { IntOrStringError, intValueOf, scaledIntOrPercent } from '../../src/kubernetes/int-or-string.js';

test.each([
  [3n, 10, 'up', 3n],
  ['33%', 10, 'up', 4n],
  ['33%', 10, 'down', 3n],
  ['-33%', 10, 'up', -3n],
  ['200%', 3, 'down', 6n],
] as const)('scaledIntOrPercent takes %s of %d, rounded %s', (value, total, rounded, scaled) => {
  expect(scaledIntOrPercent(value, total, rounded)).toBe(scaled);
});

test.each([
  ['5', 'invalid value for IntOrString: invalid type: string is not a percentage'],
  ['x%', 'invalid value for IntOrString: invalid value "x%": strconv.Atoi: parsing "x": invalid syntax'],
  [
    '99999999999999999999%',
    'invalid value for IntOrString: invalid value "99999999999999999999%": strconv.Atoi: parsing "99999999999999999999": value out of range',
  ],
])('scaledIntOrPercent rejects %s', (value, message) => {
  expect(() => scaledIntOrPercent(value, 1, 'up')).toThrow(new IntOrStringError(message));
});

test('a text that is not a number counts as 0', () => {
  expect([7n, '80', 'http', '-5', '99999999999999999999'].map(intValueOf)).toEqual([7n, 80n, 0n, -5n, (1n << 63n) - 1n]);
});
