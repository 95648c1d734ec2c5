import { describe, expect, it } from 'vitest';
import { JsonSyntaxError, readJson } from '../../../src/go/json/reader.js';
import { textOfGo27 } from '../../../src/go/json/syntax-text.js';

describe('textOfGo27', () => {
  it.each([
    ['{"a": "\r"}', String.raw`invalid character '\r' in string`],
    ['{"a": 1.x}', "invalid character 'x' in numeric literal"],
    ['{"a": 1ex}', "invalid character 'x' in numeric literal"],
    ['{"a": trué}', "invalid character 'é' in literal true (expecting 'e')"],
    ['{"a": tru', 'unexpected end of JSON input'],
    [String.raw`{"a": "\q"}`, 'invalid escape sequence `\\q` in string'],
    [String.raw`{"a": "\u12 4"}`, String.raw`invalid escape sequence "\\u12 4" in string`],
    ['{"a" 1}', "invalid character '1' after object key"],
    ["{'a': 1}", String.raw`invalid character '\'' looking for beginning of object key string`],
    [`${'['.repeat(10_001)}`, 'exceeded max depth'],
  ])('%j', (text, expected) => {
    let found: unknown;
    try {
      readJson(text);
    } catch (error) {
      found = error;
    }
    expect(found).toBeInstanceOf(JsonSyntaxError);
    expect(textOfGo27(text, found as JsonSyntaxError)).toBe(expected);
  });
});
