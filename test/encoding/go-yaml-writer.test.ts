import { describe, expect, it } from 'vitest';
import { writeGoYaml } from '../../src/encoding/go-yaml-writer.js';
import { toValue } from '../../src/go/value.js';

const long = 'word '.repeat(17);

/** Values, and the YAML of sigs.k8s.io/yaml. */
const texts: readonly (readonly [value: unknown, yaml: string])[] = [
  ['', '""\n'],
  ['a: 1\nb:\n', '|\n  a: 1\n  b:\n'],
  ['\n  ,', '|2-\n\n    ,\n'],
  ['\n', '|2+\n\n'],
  ['a \nb', '"a \\nb"\n'],
  ['\u0001\ta', '"\\x01\\ta"\n'],
  ['text 😀', '"text \\U0001F600"\n'],
  ['<a&b>', '<a&b>\n'],
  ["it's", "it's\n"],
  ["'quoted'", "'''quoted'''\n"],
  ['12', '"12"\n'],
  [{ file10: 1, file2: 2, _x: 3, A: 4 }, '_x: 3\nA: 4\nfile2: 2\nfile10: 1\n'],
  [{ x2: 1, x02: 2, x: 3 }, 'x: 3\nx2: 1\nx02: 2\n'],
  [{ 'a\nb': { c: 1, d: [2] } }, '? |-\n  a\n  b\n: c: 1\n  d:\n  - 2\n'],
  [['a'.repeat(129)].map(key => ({ [key]: ['x'] })), `- ? ${'a'.repeat(129)}\n  : - x\n`],
  [{ k: `${long}end` }, `k: ${long.slice(0, 79)}\n  ${long.slice(80)}end\n`],
];

describe('YAML as the API server writes it', () => {
  it.each(texts)('%j', (value, yaml) => {
    expect(writeGoYaml(toValue(value))).toBe(yaml);
  });
});
