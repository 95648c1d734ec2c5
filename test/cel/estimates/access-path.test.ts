import { describe, expect, it } from 'vitest';
import { accessPathOf, copiedAndExtended, extended, stepsOf } from '../../../src/cel/estimates/access-path.js';

describe('an access path', () => {
  const two = extended(accessPathOf('self'), 'a');
  const three = extended(two, 'b');

  it('starts with the steps of the path it extends', () => {
    expect(stepsOf(three)).toEqual(['self', 'a', 'b']);
    expect(stepsOf(extended(undefined, '@items'))).toEqual(['@items']);
  });

  it('with three steps has capacity for one more, which the next append overwrites', () => {
    const indices = extended(three, '@indices');
    const items = extended(three, '@items');
    expect([indices, items].map(stepsOf)).toEqual([
      ['self', 'a', 'b', '@items'],
      ['self', 'a', 'b', '@items'],
    ]);
  });

  it('with two steps has no capacity, and a copy never has any', () => {
    const [c, d] = [extended(two, 'c'), extended(two, 'd')];
    expect([c, d].map(path => stepsOf(path).at(-1))).toEqual(['c', 'd']);
    const copy = copiedAndExtended(extended(three, 'e'), '@items');
    extended(three, 'f');
    expect(stepsOf(copy)).toEqual(['self', 'a', 'b', 'e', '@items']);
  });
});
