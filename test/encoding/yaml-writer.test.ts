import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { yamlToJson } from '../../src/encoding/yaml.js';
import { writeYaml } from '../../src/encoding/yaml-writer.js';
import { writeValue } from '../../src/go/json/write.js';
import { sameValue, toValue } from '../../src/go/value.js';

describe('YAML for people', () => {
  it('looks as kubectl prints it', () => {
    const object = toValue({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'a', annotations: {}, labels: { on: 'off', version: '1.10', time: '12:30', ip: '10.0.0.1' } },
      data: { script: 'echo a\necho b\n', tail: 'x\n\n', plain: 'a: b', empty: '' },
      list: [{ name: 'a', items: ['x', [1, 2.5]] }, 'b', null, true, []],
    });
    expect(writeYaml(object)).toBe(`apiVersion: v1
data:
  empty: ''
  plain: 'a: b'
  script: |
    echo a
    echo b
  tail: |+
    x

kind: ConfigMap
list:
- items:
  - x
  - - 1
    - 2.5
  name: a
- b
- null
- true
- []
metadata:
  annotations: {}
  labels:
    ip: 10.0.0.1
    'on': 'off'
    time: '12:30'
    version: '1.10'
  name: a
`);
  });

  it('reads back as the same value', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        'yes',
        '0o17',
        '1_000',
        '- a',
        'a #b',
        ' a',
        'a\n b\n',
        '\n',
        'a\n\n',
        '---',
        '<<',
        '=',
        '1:30',
        '-',
        '-a',
        '? b',
        '2001-01-01',
      ),
    );
    const value = fc.letrec(tie => ({
      node: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
        tie('list'),
        tie('map'),
      ),
      list: fc.array(tie('node'), { maxLength: 4 }),
      map: fc.dictionary(text, tie('node'), { maxKeys: 4 }),
    })).node;
    fc.assert(
      fc.property(value, data => {
        const expected = toValue(data);
        expect(yamlToJson(writeYaml(expected))).toBe(writeValue(expected, 'sorted'));
      }),
      { numRuns: 100 },
    );
  });

  it('writes keys that are too long for a simple key', () => {
    const long = (character: string): string => character.repeat(1200);
    const value = toValue({ [long('a')]: 'x', [long('"\n')]: { [long(': ')]: ['a'] }, [long("'")]: 'a\nb\n' });
    const text = writeYaml(value);
    expect(JSON.parse(yamlToJson(text))).toEqual(parse(text));
    expect(sameValue(toValue(parse(text)), value)).toBe(true);
  });
});
