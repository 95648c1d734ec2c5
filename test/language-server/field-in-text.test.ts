import { expect, it } from 'vitest';
import { fieldInText } from '../../src/language-server/text/field-in-text.js';
import { documentsOf } from '../../src/language-server/text/file-documents.js';

/** Returns the text of the field's value in the first document, and what is missing of its path. */
function found(text: string, field: string): string {
  const document = documentsOf(text).find(({ tree }) => tree() !== undefined);
  const root = document?.tree();
  if (document === undefined || root === undefined) throw new Error('the text has no tree');
  const { node, missing } = fieldInText(root, field);
  const value = text.slice(document.start + node.start, document.start + node.end);
  return missing === '' ? value : `${value.split('\n')[0]} without ${missing}`;
}

const cases: readonly (readonly [string, string, string, string])[] = [
  ['a scalar of a block', 'a:\n  b: c d # e\n', 'a.b', 'c d'],
  ['an item of a list', 'a:\n- b\n- c: 1\n', 'a[1].c', '1'],
  ['a list without indentation', 'a:\n- x\n- y\nb: z\n', 'a', 'x\n- y'],
  ['flow collections', 'a: {b: [1, {c: "x}"}], d: 2}\n', 'a.b', '[1, {c: "x}"}]'],
  ['quotes with escapes', "a: \"x\\\"y\" # z\nb: 'it''s'\n", 'a', '"x\\"y"'],
  ['single quotes', "a: \"x\"\nb: 'it''s' # z\n", 'b', "'it''s'"],
  ['a literal block', 'a: |\n  x\n   y\n\nb: z\n', 'a', '|\n  x\n   y'],
  ['a folded block with a header', 'a: >-\n  x\n  y\nb: z\n', 'a', '>-\n  x\n  y'],
  ['an alias', 'a: &x {b: 1}\nc: *x\n', 'c', '*x'],
  ['a field inside an alias', 'a: &x {b: 1}\nc: *x\n', 'c.b', '1'],
  ['a merged field', 'a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\n', 'd.b', '1'],
  ['a field that overrides a merged one', 'a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\n', 'd.c', '3'],
  ['an anchor and a tag before a scalar', 'a: &x !!str 1 # y\n', 'a', '1'],
  ['keys in brackets', 'a:\n  b.c/d: 1\n', 'a[b.c/d]', '1'],
  ['a key with dots', 'a:\n  b.c/d: 1\n', 'a.b.c/d', '1'],
  ['a longer key first', 'a:\n  b: 1\n  b.c: 2\n', 'a.b.c', '2'],
  ['an item by its keys', 'a:\n- {port: 80, protocol: TCP}\n- {port: 80, protocol: UDP}\n', '.a[port=80,protocol="UDP"].port', '80'],
  ['a set item by its value', 'a: [x, y]\n', 'a[="y"]', 'y'],
  ['CRLF', 'a:\r\n  b: c\r\n  d: e\r\n', 'a.d', 'e'],
  ['characters of two UTF-16 units', 'a: 😀\nb: {c: 😀, d: x}\n', 'b.d', 'x'],
  ['a byte order mark', '\ufeffa: b\n', 'a', 'b'],
  ['comments before the document', '# x\n---\n# y\na: b\n', 'a', 'b'],
  ['JSON', '{"a": {"b\\u0063": [1, "x"]}}', 'a.bc[1]', '"x"'],
  ['a missing field', 'a:\n  b: c\n', 'a.d.e', 'b: c without .d.e'],
  ['a missing item', 'a:\n- b\n', 'a[3].c', 'b without [3].c'],
  ['an empty value', 'a:\nb: c\n', 'a', ''],
  ['a plain scalar of two lines', 'a: x\n  y\nb: z\n', 'a', 'x\n  y'],
];

for (const [name, text, field, expected] of cases) {
  it(`finds ${name}`, () => {
    const value = found(text, field);
    expect(value.replace(/^- /, '')).toBe(expected);
  });
}

it('finds nothing in an anchor that contains itself, and ends', () => {
  expect(found('a: &x\n  <<: *x\n  b: 1\n', 'a.c')).toContain('without .c');
});

it('splits documents at separators, and JSON values', () => {
  expect(documentsOf('a: 1\n---\nb: 2\n--- # x\nc: 3\n').map(({ text, start }) => [text, start])).toEqual([
    ['a: 1\n', 0],
    ['b: 2\n', 9],
    ['c: 3\n', 22],
  ]);
  expect(documentsOf('{"a": 1}\n{"b": 2}').map(({ text, start }) => [text, start])).toEqual([
    ['{"a": 1}', 0],
    ['{"b": 2}', 9],
  ]);
});
