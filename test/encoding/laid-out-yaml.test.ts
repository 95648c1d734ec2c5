import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Layout, layOutYaml } from '../../src/encoding/laid-out-yaml.js';
import { readManifests } from '../../src/encoding/yaml-stream.js';
import { writeYaml } from '../../src/encoding/yaml-writer.js';
import { toValue } from '../../src/go/value.js';

describe('layOutYaml', () => {
  it('writes blocks, items, words, quotes, comments and disabled members', () => {
    const layout: Layout = {
      block: [
        { note: 'First.' },
        { key: 'a', value: { flow: toValue({ b: 'a/b.yaml', c: ['x y', true, 1, null, ''] }) }, comment: 'why' },
        { key: 'b c', value: { block: [{ key: 'on', value: { plain: 'run: it' } }] }, comment: 'block' },
        { disabled: [{ key: 'exec', value: { block: [{ key: 'command', value: { flow: 'a "b"' } }] }, comment: 'or so' }] },
        {
          key: 'items',
          value: {
            items: [
              { plain: 'a b' },
              {
                block: [
                  { key: 'c', value: { flow: 'd' } },
                  { key: 'e', value: { flow: false } },
                ],
              },
            ],
          },
        },
      ],
    };
    const { text, value } = layOutYaml(layout);
    expect(text).toBe(`# First.
a: {b: a/b.yaml, c: ["x y", true, 1, null, ""]}  # why
b c:  # block
  'on': 'run: it'
# exec:  # or so
#   command: "a \\"b\\""
items:
- a b
- c: d
  e: false
`);
    expect(readManifests(Buffer.from(text)).documents.map(({ json }) => JSON.parse(json))).toEqual([parse(text)]);
    expect(writeYaml(value)).toBe(writeYaml(toValue(parse(text))));
  });

  it('keeps every text a value, a key or a comment', () => {
    const characters = [
      '\n',
      '\r',
      '\t',
      '\u0085',
      '\u2028',
      '\u2029',
      '\u0000',
      '\ufeff',
      '\u007f',
      '"',
      "'",
      '\\',
      '#',
      ' #',
      ': ',
      '{',
      ']',
      ',',
      '*',
      '&',
      '!',
      '-',
      '$(a)',
      '\ud83d\ude00',
    ];
    const texts = characters.flatMap(a => [a, ...characters.map(b => `x${a}y: z]}${b}`), ` ${a}`, `${a} `, a.repeat(1500)]);
    for (const text of texts) {
      const block = [
        { note: text },
        { key: text, value: { plain: text }, comment: text },
        { disabled: [{ key: text, value: { flow: text } }] },
        { key: 'last', value: { flow: toValue(new Map([[text, [text]]])) } },
      ];
      const written = layOutYaml({ block }).text;
      const wanted = Object.fromEntries([
        [text, text],
        ['last', Object.fromEntries([[text, [text]]])],
      ]);
      expect(parse(written)).toEqual(wanted);
      expect(JSON.parse(readManifests(Buffer.from(written)).documents[0]?.json ?? '')).toEqual(wanted);
    }
  });
});
