import { describe, expect, test } from 'vitest';
import { compactRaw, compareKeys, goFloat, goString, writeValue } from '../../../src/go/json/write.js';
import type { Value } from '../../../src/go/value.js';

test.each([
  ['plain é 日 😀', '"plain é 日 😀"'],
  ['<a & b>', '"\\u003ca \\u0026 b\\u003e"'],
  ['"\\/\b\f\n\r\t', '"\\"\\\\/\\b\\f\\n\\r\\t"'],
  ['\x00\x1f\x7f', '"\\u0000\\u001f\x7f"'],
  ['\u2028\u2029', '"\\u2028\\u2029"'],
  ['\udcff\ufffd', '"\\ufffd\ufffd"'],
])('goString escapes %j', (text, expected) => {
  expect(goString(text)).toBe(expected);
});

test.each([
  [0, '0'],
  [-0, '-0'],
  [1e20, '100000000000000000000'],
  [1e21, '1e+21'],
  [1e-6, '0.000001'],
  [1e-7, '1e-7'],
  [5e-324, '5e-324'],
])('goFloat writes %d', (n, expected) => {
  expect(goFloat(n)).toBe(expected);
});

test.each([
  [Number.POSITIVE_INFINITY, '+Inf'],
  [Number.NEGATIVE_INFINITY, '-Inf'],
  [Number.NaN, 'NaN'],
])('goFloat rejects %d', (n, name) => {
  expect(() => goFloat(n)).toThrow(`json: unsupported value: ${name}`);
});

describe('writeValue', () => {
  const value: Value = new Map<string, Value>([
    ['b', [1n, 1.5, true, null, []]],
    ['10', { rawJson: '{"z":1}' }],
    ['a', new Map()],
  ]);

  test('sorts or keeps keys, and writes raw JSON unchanged', () => {
    expect(writeValue(value, 'sorted')).toBe('{"10":{"z":1},"a":{},"b":[1,1.5,true,null,[]]}');
    expect(writeValue(value, 'kept')).toBe('{"b":[1,1.5,true,null,[]],"10":{"z":1},"a":{}}');
  });

  test('does not recurse into deep values', () => {
    let deep: Value = 'x';
    for (let i = 0; i < 100_000; i += 1) deep = i % 2 === 0 ? [deep] : new Map([['k', deep]]);
    expect(writeValue(deep, 'sorted')).toHaveLength(100_000 * 2 + 50_000 * 4 + 3);
  });
});

test.each([
  ['{"a":1}', '{"a":1}'],
  [' { "a b" : [ 1 ,\n\t"\\" <" ] } ', '{"a b":[1,"\\" \\u003c"]}'],
  ['"&\u2028\\u0026"', '"\\u0026\\u2028\\u0026"'],
])('compactRaw turns %j into %j', (text, expected) => {
  expect(compactRaw(text)).toBe(expected);
});

test('compareKeys orders by UTF-8 bytes', () => {
  const sorted = ['', 'a', 'a\0', 'ab', 'b', '\udc80', 'é', '日', '\ue000', '\uffee', '😀', '😁', '\udcff'];
  expect([...sorted].reverse().sort(compareKeys)).toEqual(sorted);
});
