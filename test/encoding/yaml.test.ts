import { describe, expect, test } from 'vitest';
import { yamlToJson, yamlToJsonStrict } from '../../src/encoding/yaml.js';

describe('yamlToJson', () => {
  test.each([
    ['', 'null'],
    ['# only a comment\n', 'null'],
    ['on: yes\n1: 0o17\n1.50: 1_000\n', '{"1":15,"1.5":1000,"true":true}'],
    ['a: 18446744073709551615\nb: 18446744073709551616\nc: 1e400\n', '{"a":18446744073709551615,"b":18446744073709552000,"c":"1e400"}'],
    ['a: &x {b: 1}\nc: {<<: *x, d: 2}\n', '{"a":{"b":1},"c":{"b":1,"d":2}}'],
    ['a: {<<: [{k: 1}, {k: 2}], k2: 3}', '{"a":{"k":1,"k2":3}}'],
    ['a: >\n  one\n  two\n\n   three\nb: |-\n  x\n', '{"a":"one two\\n\\n three\\n","b":"x"}'],
    ['a: !!binary /w==\nb: !!str 5\nc: !custom 5\n', '{"a":"\\ufffd","b":"5","c":"5"}'],
    ['a: 1\na: 2\n---\nb: 3\n', '{"a":2}'],
    ['[]: x\n', '[]'],
    ['\ufeffa: 😀\n😀: "\\U0001F600"\n', '{"a":"😀","😀":"😀"}'],
  ])('reads %j', (text, json) => {
    expect(yamlToJson(text)).toBe(json);
  });

  test.each([
    ['a: [\n', 'yaml: line 1: did not find expected node content', 1, 0],
    ['a: b: c\n', 'yaml: mapping values are not allowed in this context', 0, 4],
    ['a:\n\tb: 1\n', 'yaml: line 2: found character that cannot start any token', 1, 0],
    ['x: 1\ny: *a\n', "yaml: unknown anchor 'a' referenced", 1, 3],
    ['a: &a [*a]\n', "yaml: anchor 'a' value contains itself", 0, 7],
    ['a: 1\n? [b]\n: c\n', 'yaml: invalid map key: []interface {}{"b"}', 1, 2],
    ['a: .inf\n', 'json: unsupported value: +Inf', undefined, undefined],
    ['~: 1\n', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: 1', undefined, undefined],
    ['a: !!int x\n', 'yaml: cannot decode !!str `x` as a !!int', 0, 3],
    ['é: 1\nb: \x01\n', 'yaml: control characters are not allowed', 1, 3],
    ['a: \udcff\n', 'yaml: invalid leading UTF-8 octet', 0, 3],
  ])('rejects %j with the message and position of Go', (text, message, line, column) => {
    expect(() => yamlToJson(text)).toThrow(expect.objectContaining({ name: 'YamlError', message, line, column }));
  });

  test('reports a forbidden character before other errors in the same 512 bytes, and after earlier ones', () => {
    expect(() => yamlToJson(`a: b: c\n${' '.repeat(400)}\x01`)).toThrow('yaml: control characters are not allowed');
    expect(() => yamlToJson(`a: b: c\n${' '.repeat(600)}\x01`)).toThrow('yaml: mapping values are not allowed in this context');
  });

  test('accepts 10000 levels and rejects more', () => {
    expect(yamlToJson('['.repeat(10000) + ']'.repeat(10000))).toHaveLength(20000);
    expect(() => yamlToJson('['.repeat(10001))).toThrow('yaml: exceeded max depth of 10000');
    expect(() => yamlToJson('- '.repeat(10001))).toThrow('yaml: exceeded max depth of 10000');
  });

  test('rejects an alias bomb', () => {
    const names = [...'abcdefghi'];
    const lines = names.map((name, i) => `${name}: &${name} [${Array(9).fill(i === 0 ? 'x' : `*${names[i - 1]}`)}]\n`);
    expect(() => yamlToJson(lines.join(''))).toThrow('yaml: document contains excessive aliasing');
  });
});

test('yamlToJsonStrict reports duplicate keys', () => {
  expect(yamlToJsonStrict('a: 1\n"1": 2\n1: 3\n')).toBe(yamlToJson('a: 1\n"1": 2\n1: 3\n'));
  expect(() => yamlToJsonStrict('a: 1\na: 2\nb:\n  1: x\n  1: y\n')).toThrow(
    'yaml: unmarshal errors:\n  line 2: key "a" already set in map\n  line 5: key 1 already set in map',
  );
});
