import { describe, expect, it } from 'vitest';
import { placesIn } from '../../src/encoding/line-places.js';

const text = 'ab\u{1f600}c\r\nd\ud800\u{1f600}e\u2028f';

/** Straightforward implementation, without a cache. */
function columnOf(offset: number): number {
  const before = text.slice(0, offset).split(/\r\n|[\n\r\x85\u2028\u2029]/);
  return [...(before.at(-1) ?? '')].length + 1;
}

describe('positions in a text', () => {
  const offsets = Array.from(text.split('').keys()).filter(offset => offset !== 3 && offset !== 6 && offset !== 10);

  it.each([
    ['from the front', offsets],
    ['from the back', offsets.toReversed()],
    ['in any order', [...offsets.filter(offset => offset % 2 === 0), ...offsets.filter(offset => offset % 2 === 1)]],
  ])('do not depend on earlier lookups: %s', (_, order) => {
    const placeOf = placesIn(text);
    for (const offset of order) expect([offset, placeOf(offset).column]).toEqual([offset, columnOf(offset)]);
  });

  it('count lines as YAML ends them', () => {
    const placeOf = placesIn(text);
    expect(['c', 'd', 'e', 'f'].map(letter => placeOf(text.indexOf(letter)))).toEqual([
      { line: 1, column: 4 },
      { line: 2, column: 1 },
      { line: 2, column: 4 },
      { line: 3, column: 1 },
    ]);
  });

  it('of thousands of items in one long line are found in one pass', () => {
    // Counting from the start of the line each time would take 10^11 steps.
    const [item, count] = ['{"name":"x"},', 200_000];
    const placeOf = placesIn(item.repeat(count));
    const columns = Array.from({ length: count }, (_, i) => placeOf(i * item.length).column);
    expect(columns.every((column, i) => column === i * item.length + 1)).toBe(true);
  });
});
