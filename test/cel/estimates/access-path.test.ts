import { describe, expect, it } from 'vitest';
import { copiedAndExtended, extended, pathOf, stepsOf } from '../../../src/cel/estimates/access-path.js';

describe('a path', () => {
  const two = extended(pathOf('self'), 'a');
  const three = extended(two, 'b');

  it('goes on where another one ends', () => {
    expect(stepsOf(three)).toEqual(['self', 'a', 'b']);
    expect(stepsOf(extended(undefined, '@items'))).toEqual(['@items']);
  });

  it('of three steps has room for one more, which the next one takes', () => {
    const indices = extended(three, '@indices');
    const items = extended(three, '@items');
    expect([indices, items].map(stepsOf)).toEqual([
      ['self', 'a', 'b', '@items'],
      ['self', 'a', 'b', '@items'],
    ]);
  });

  it('of two steps has no room, and a copy never has', () => {
    const [c, d] = [extended(two, 'c'), extended(two, 'd')];
    expect([c, d].map(path => stepsOf(path).at(-1))).toEqual(['c', 'd']);
    const copy = copiedAndExtended(extended(three, 'e'), '@items');
    extended(three, 'f');
    expect(stepsOf(copy)).toEqual(['self', 'a', 'b', 'e', '@items']);
  });
});
