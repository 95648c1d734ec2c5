import { describe, expect, it } from 'vitest';
import { readUnchanged, sourceTextOf } from '../../src/encoding/source-text.js';
import { writeValue } from '../../src/go/json/write.js';

function keptText(text: string): string | undefined {
  const object = readUnchanged(text);
  return object === undefined ? undefined : sourceTextOf(object)?.text;
}

describe('the text of an object that is read', () => {
  it.each([
    '{}',
    '{"a":[],"b":{},"c":null,"d":true}',
    '{"a":{"b":[1,-20,0,{"c":"é"}]},"x":"a, b: {c}"}',
    '{"f:a":{"k:{\\"name\\":\\"b\\"}":{".":{}}}}',
    '{"a":"{\\"b\\":\\"c\\"}\\n","d":"\\u003cp\\u003e"}',
  ])('is kept if writing returns it: %s', text => {
    expect(keptText(text)).toBe(text);
    expect(writeValue(readUnchanged(text) ?? null, 'kept')).toBe(text);
  });

  it.each([
    ['white space after a colon', '{"a": 1}'],
    ['white space after a comma', '{"a":1, "b":2}'],
    ['white space in an empty object', '{"a":{ }}'],
    ['white space in an empty list', '{"a":[ ]}'],
    ['white space before the end', '{"a":[1 ]}'],
    ['white space around it', ' {"a":1}\n'],
    ['duplicate keys', '{"a":{"b":1,"b":2}}'],
    ['a key with an escape that Go does not write', '{"\\u0061":1}'],
    ['white space after a key with an escape', '{"k:\\"a\\"" :1}'],
    ['an escape that Go does not write', '{"a":"\\u0061"}'],
    ['a slash with an escape', '{"a":"b\\/c"}'],
    ['a character that Go escapes', '{"a":"<"}'],
    ['a surrogate pair', '{"a":"\u{1f600}"}'],
    ['a lone surrogate', '{"a":"\\ud800"}'],
    ['a decimal point', '{"a":1.0}'],
    ['an exponent', '{"a":1e3}'],
    ['a negative zero', '{"a":-0}'],
    ['an integer that may not fit', '{"a":9223372036854775807}'],
  ])('is not kept with %s', (_, text) => {
    expect(keptText(text)).toBeUndefined();
  });

  it('is not kept for duplicate keys among many', () => {
    const members = Array.from({ length: 20 }, (_, i) => `"k${i}":${i}`);
    expect(keptText(`{${members.join(',')}}`)).toBeDefined();
    expect(keptText(`{${members.join(',')},"k3":1}`)).toBeUndefined();
  });

  it('is undefined for other values', () => {
    expect(readUnchanged('[1]')).toBeUndefined();
    expect(() => readUnchanged('{"a":1} x')).toThrow('after top-level value');
  });
});
