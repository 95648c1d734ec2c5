import { describe, expect, test } from 'vitest';
import { JsonSyntaxError, readJson, readValue } from '../../../src/go/json/reader.js';

describe('readJson', () => {
  test('stores offsets and keeps duplicates in order', () => {
    expect(readJson(' {"a": [1.50, "\\u0041"], "a":null}\n')).toEqual({
      type: 'object',
      start: 1,
      end: 34,
      members: [
        {
          key: 'a',
          keyStart: 2,
          value: {
            type: 'array',
            start: 7,
            end: 23,
            items: [
              { type: 'number', start: 8, end: 12, text: '1.50' },
              { type: 'string', start: 14, end: 22, value: 'A' },
            ],
          },
        },
        { key: 'a', keyStart: 25, value: { type: 'literal', start: 29, end: 33, value: null } },
      ],
    });
  });

  test.each([
    ['"\\ud83d\\ude00"', '😀'],
    ['"😀"', '😀'],
    ['"\\ud83d"', '\ufffd'],
    ['"\\ud83d\\u0041"', '\ufffdA'],
    ['"\\ude00\\ud83d"', '\ufffd\ufffd'],
    ['"\udcff"', '\ufffd'],
    ['"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\/\b\f\n\r\t'],
    ['"\u2028\x7f"', '\u2028\x7f'],
  ])('decodes the string %j as Go does', (text, value) => {
    expect(readJson(text)).toMatchObject({ type: 'string', value });
  });

  test.each([
    ['', 'unexpected end of JSON input', 0],
    ['{"a":1', 'unexpected end of JSON input', 6],
    ['tru', "invalid character ' ' in literal true (expecting 'e')", 3],
    ['1.', "invalid character ' ' after decimal point in numeric literal", 2],
    ['{"a":é}', "invalid character 'Ã' looking for beginning of value", 5],
    ['😀', "invalid character 'ð' looking for beginning of value", 0],
    ['\udcff', "invalid character 'ÿ' looking for beginning of value", 0],
    ["'a'", "invalid character '\\'' looking for beginning of value", 0],
    ['[1 "', "invalid character '\"' after array element", 3],
    ['{"a":1}}', "invalid character '}' after top-level value", 7],
    ['"\\u00g0"', "invalid character 'g' in \\u hexadecimal character escape", 5],
  ])('rejects %j with the message of Go', (text, message, offset) => {
    expect(() => readJson(text)).toThrow(expect.objectContaining({ name: 'JsonSyntaxError', message, offset }));
  });

  test('accepts 10000 levels and rejects more', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(readJson(nested(10000))).toMatchObject({ type: 'array', end: 20000 });
    expect(() => readJson(nested(10001))).toThrow(JsonSyntaxError);
    expect(() => readJson(nested(10001))).toThrow("invalid character '[' exceeded max depth");
  });
});

test('readValue stops where the value ends', () => {
  expect(readValue('{"a":1} {"b":2}', 8)).toMatchObject({ end: 15, node: { start: 8, end: 15 } });
  expect(readValue('12x', 0)).toMatchObject({ end: 2 });
});
