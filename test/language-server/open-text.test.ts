import { expect, it } from 'vitest';
import { placeInOpenText } from '../../src/language-server/text/place-in-open-text.js';

/** `|` marks the place. */
const cases: readonly (readonly [string, string, string])[] = [
  ['a key at the start', '|', 'key: []'],
  ['a key of the root', 'apiVersion: v1\nki|', 'key ki: [] beside apiVersion'],
  ['a key on an empty line', 'a:\n  b: 1\n  |\n', 'key: [a] beside b'],
  ['a key on an empty line below its parent', 'a:\n  |\n', 'key: [a]'],
  ['a key of the root on an empty line', 'a:\n  b: 1\n|\n', 'key: [] beside a'],
  ['a key before others', 'a:\n  |\n  c: 1\n', 'key: [a] beside c'],
  ['a key with its colon', 'a:\n  im|age: x\n  c: 1\n', 'key im: [a] beside c'],
  ['a key of an item', 'a:\n- b: 1\n  c|\n', 'key c: [a,0] beside b'],
  ['a key of a second item', 'a:\n  - b: 1\n  - c|\n', 'key c: [a,1]'],
  ['a key after a dash', 'a:\n- |', 'key: [a,0]'],
  ['a value', 'a:\n  b: x|y # z\n', 'value x: [a,b]'],
  ['an empty value', 'a:\n  b: |\n', 'value: [a,b]'],
  ['a quoted value', 'a: "x|"\n', 'value x: [a]'],
  ['a flow map', 'a: {b: 1, |}\n', 'key: [a] beside b'],
  ['a flow map with a key after it', 'a: {|, c: 1}\n', 'key: [a] beside c'],
  ['a key in a flow map', 'a: {b: 1, cd|: 2}\n', 'key cd: [a] beside b'],
  ['a value in a flow map', 'a: {b: 1, c: |}\n', 'value: [a,c]'],
  ['a value in a flow list', 'a: [x, y|]\n', 'value y: [a,1]'],
  ['an open flow map', 'a: {b: 1,\n  c: {d|\n', 'key d: [a,c]'],
  ['JSON', '{"a": {"b": 1, "c|": 2}}', 'key c: [a] beside b'],
  ['a key after an error', 'a: [1\nb: "x\n', 'none'],
  ['a map after an error in a line', 'a:\n  b: : 1\n  c|\n', 'key c: [a] beside b'],
  ['a comment', 'a:\n  # b|\n', 'none'],
  ['a block scalar', 'a: |-\n  x: y‸\n', 'none'],
  ['after a block scalar', 'a: |-\n  x: y\nb|: 1\n'.replace('|-', '>-'), 'key b: [] beside a'],
  ['a list in the column of its key', 'a:\n- x\nb|', 'key b: [] beside a'],
];

for (const [name, marked, expected] of cases) {
  it(`finds ${name}`, () => {
    const mark = marked.includes('‸') ? '‸' : '|';
    const offset = marked.indexOf(mark) < 0 ? marked.length : marked.indexOf(mark);
    const place = placeInOpenText(marked.replace(mark, ''), offset);
    const beside = [...(place?.frame?.keys ?? [])].join(' ');
    const shown =
      place === undefined
        ? 'none'
        : `${place.position}${place.prefix === '' ? '' : ` ${place.prefix}`}: [${place.path}]${beside === '' ? '' : ` beside ${beside}`}`;
    if (expected === 'none' && !marked.includes(mark)) return;
    expect(shown).toBe(expected);
  });
}
