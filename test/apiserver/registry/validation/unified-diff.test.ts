import { describe, expect, it } from 'vitest';
import { matchingBlocks, unifiedDiff } from '../../../../src/apiserver/registry/validation/unified-diff.js';

describe('the differences of two texts', () => {
  it('starts with the longest block, not with the shortest diff', () => {
    const [a, b] = ['abxcd', 'abcdxab'].map(text => text.split(''));
    expect(matchingBlocks(a ?? [], b ?? [])).toEqual([
      { a: 0, b: 0, size: 2 },
      { a: 3, b: 2, size: 2 },
    ]);
  });

  it('does not start a block with frequent lines in texts of 200 or more lines', () => {
    const filler = Array.from({ length: 200 }, () => '}');
    expect(matchingBlocks(['{', '}', 'a'], ['b', ...filler])).toEqual([]);
    expect(matchingBlocks(['{', '}', 'a'], ['b', '}'])).toEqual([{ a: 1, b: 1, size: 1 }]);
  });

  it('shows three lines around a change', () => {
    expect(unifiedDiff('1\n2\n3\n4\n5\n6\n7\n8\n9', '1\n2\n3\n4\nX\n6\n7\n8\n9')).toBe('@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+X\n 6\n 7\n 8\n');
  });
});
