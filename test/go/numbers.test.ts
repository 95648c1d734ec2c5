import { describe, expect, it } from 'vitest';
import { formatFixed } from '../../src/go/exact-decimal.js';
import { formatFloat } from '../../src/go/float.js';
import { parseBool, parseFloat64 } from '../../src/go/parse-float.js';
import { parseInt64, parseUint64 } from '../../src/go/parse-integer.js';
import { printGo } from '../../src/go/print.js';

describe('a float', () => {
  it.each([
    [1e6, '1e+06', '1000000', '1e+06'],
    [999999.5, '999999.5', '999999.5', '999999.5'],
    [1e-5, '1e-05', '0.00001', '1e-05'],
    [0.0001, '0.0001', '0.0001', '0.0001'],
    [-0, '-0', '-0', '-0'],
    [1e21, '1e+21', '1000000000000000000000', '1e+21'],
    [123456789, '1.23456789e+08', '123456789', '1.2345679e+08'],
    [-2801.03125, '-2801.03125', '-2801.03125', '-2801.0312'],
    [5e-324, '5e-324', `0.${'0'.repeat(323)}5`, '0'],
    [Number.NEGATIVE_INFINITY, '-Inf', '-Inf', '-Inf'],
    [Number.NaN, 'NaN', 'NaN', 'NaN'],
  ])('%d is formatted as Go formats it', (value, g, f, g32) => {
    expect([formatFloat(value), formatFloat(value, 'f'), formatFloat(value, 'g', 32), printGo(value)]).toEqual([g, f, g32, g]);
  });

  it.each([
    [0.0078125, 6, '0.007812'],
    [0.5, 0, '0'],
    [1.5, 0, '2'],
    [-0, 2, '-0.00'],
    [1e22, 1, '10000000000000000000000.0'],
    [Number.POSITIVE_INFINITY, 6, '+Inf'],
  ])('%d with %d decimals is rounded half to even', (value, precision, text) => {
    expect(formatFixed(value, precision)).toBe(text);
  });

  it.each([
    ['1_000.5', 1000.5],
    ['0x1p-2', 0.25],
    ['0x_1.8p1', 3],
    ['.5e1', 5],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['0x1p-1074', 5e-324],
  ])('is parsed from %s', (text, value) => {
    expect(parseFloat64(text)).toBe(value);
  });

  it.each([
    ['1__0', 'invalid syntax'],
    ['+nan', 'invalid syntax'],
    ['0x1', 'invalid syntax'],
    ['', 'invalid syntax'],
    ['1e400', 'value out of range'],
  ])('is not parsed from %j', (text, reason) => {
    expect(parseFloat64(text)).toEqual({ error: `strconv.ParseFloat: parsing "${text}": ${reason}` });
  });
});

it('parses integers and booleans as Go does', () => {
  expect([parseInt64('-9223372036854775808'), parseUint64('18446744073709551615'), parseBool('T')]).toEqual([
    -(2n ** 63n),
    2n ** 64n - 1n,
    true,
  ]);
  expect(parseInt64('9223372036854775808')).toEqual({ error: 'strconv.ParseInt: parsing "9223372036854775808": value out of range' });
  expect(parseUint64('+1')).toEqual({ error: 'strconv.ParseUint: parsing "+1": invalid syntax' });
  expect(parseBool('yes')).toEqual({ error: 'strconv.ParseBool: parsing "yes": invalid syntax' });
});
