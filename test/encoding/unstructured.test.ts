import { describe, expect, test } from 'vitest';
import { readUnstructured, readUnstructuredStrict, readWithFloats } from '../../src/encoding/unstructured.js';
import { readUnstructuredObject } from '../../src/encoding/unstructured-object.js';
import { toValue } from '../../src/go/value.js';

describe('readUnstructured', () => {
  test.each([
    ['9223372036854775807', 9223372036854775807n],
    ['9223372036854775808', 2 ** 63],
    ['-9223372036854775808', -9223372036854775808n],
    ['-0', 0n],
    ['1.0', 1],
    ['1e2', 100],
    ['"1"', '1'],
    ['null', null],
  ])('reads %s as %s', (text, value) => {
    expect(readUnstructured(text)).toBe(value);
  });

  test('uses the last of duplicate keys, as a whole', () => {
    expect(readUnstructured('{"a":{"b":1},"a":{"c":2}}')).toEqual(toValue({ a: { c: 2 } }));
  });

  test('reports the first number beyond float64', () => {
    expect(() => readUnstructured('{"a":[1E400],"b":-1e999}')).toThrow('json: cannot unmarshal number 1E400 into Go value of type float64');
  });

  test('reads every number as a float for Go’s plain decoder', () => {
    expect(readWithFloats('[1, 9007199254740993]')).toEqual([1, 9007199254740992]);
  });
});

test.each([
  ['{"a":1,"b":{"a":1,"a":2},"a":3,"a":4}', ['duplicate field "b.a"', 'duplicate field "a"']],
  ['[{"a":1,"\\u0061":2}]', ['duplicate field "[0].a"']],
  ['{"":{"x":1,"x":2}}', ['duplicate field ".x"']],
  ['{"a\\n":1,"a\\n":1}', ['duplicate field "a\\n"']],
  [`{${'"k":0,'.repeat(300)}"k":0}`, ['duplicate field "k"']],
])('strict reading of %.40s finds %j', (text, strictErrors) => {
  expect(readUnstructuredStrict(text).strictErrors).toEqual(strictErrors);
});

test('strict reading keeps a hundred errors', () => {
  const text = `{${Array.from({ length: 150 }, (_, i) => `"k${i}":1,"k${i}":2`).join(',')}}`;
  expect(readUnstructuredStrict(text).strictErrors).toHaveLength(100);
});

describe('readUnstructuredObject', () => {
  test('gives the items of a list its version and their kind', () => {
    const text = '{"kind":"WidgetList","apiVersion":"x/v1","items":[{"a":1},{"kind":"Other"},null]}';
    expect(readUnstructuredObject(text)).toEqual(
      toValue({
        kind: 'WidgetList',
        apiVersion: 'x/v1',
        items: [{ a: 1, kind: 'Widget', apiVersion: 'x/v1' }, { kind: 'Other' }, { kind: 'Widget', apiVersion: 'x/v1' }],
      }),
    );
  });

  test.each([
    ['[]', 'json: cannot unmarshal array into Go value of type unstructured.detector'],
    ['{"kind":"W","items":true}', 'json: cannot unmarshal bool into Go struct field decodeList.items of type []json.RawMessage'],
    ['{"kind":"W","items":[1]}', 'json: cannot unmarshal number into Go value of type map[string]interface {}'],
    ['null', "Object 'Kind' is missing in 'null'"],
    ['{"kind": 5}', `Object 'Kind' is missing in '{"kind": 5}'`],
  ])('rejects %s', (text, message) => {
    expect(() => readUnstructuredObject(text)).toThrow(message);
  });
});
