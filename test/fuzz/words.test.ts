import { expect, it } from 'vitest';
import { withWords } from '../../src/fuzz/inputs/sweep.js';
import { mapAt, stringAt, type ValueMap } from '../../src/go/value.js';

const words = ['example.com/owner', 'example.com/contact', 'tier'];
const annotationsOf = (objects: readonly ValueMap[]) => objects.flatMap(object => mapAt(object, 'metadata', 'annotations') ?? []);
const plain: ValueMap = new Map([['metadata', new Map([['name', 'a']])]]);

it('gives the keys that webhooks know one value, and values that differ', () => {
  const found = annotationsOf(withWords(plain, words, false)).map(one => words.map(word => stringAt(one, word)));
  expect(found).toContainEqual(['true', 'true', 'true']);
  // Valid JSON without members, as configurations are written.
  expect(found).toContainEqual(['{}', '{}', '{}']);
  expect(found.filter(values => new Set(values).size === words.length).map(([first]) => first)).toContain('ü');
});

it.each([false, true])('gives objects one of the keys alone (all values: %s)', isFull => {
  const alone = annotationsOf(withWords(plain, words, isFull)).filter(({ size }) => size === 1);
  expect(new Set(alone.flatMap(one => [...one.keys()]))).toEqual(new Set(words));
  expect(alone.flatMap(one => [...one.values()])).toContain('日本語🙂');
});
