import { describe, expect, it } from 'vitest';
import { isList, toValue, type Value } from '../../src/go/value.js';
import { mergeTolerations } from '../../src/plugins/tolerations.js';

function listOf(data: unknown): Value[] {
  const value = toValue(data);
  return isList(value) ? value : [];
}

describe('merged tolerations', () => {
  it.each([
    [
      'are one after the other',
      [{ key: 'a', operator: 'Exists' }],
      [{ key: 'b', operator: 'Exists' }],
      [
        { key: 'a', operator: 'Exists' },
        { key: 'b', operator: 'Exists' },
      ],
    ],
    ['name the same once', [{ key: 'a', operator: 'Exists' }], [{ key: 'a', operator: 'Exists' }], [{ key: 'a', operator: 'Exists' }]],
    [
      'leave out what a later one covers',
      [{ key: 'a', operator: 'Equal', value: 'x' }],
      [{ operator: 'Exists' }],
      [{ operator: 'Exists' }],
    ],
    [
      'keep what lasts longer',
      [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }],
      [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 30 }],
      [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }],
    ],
  ])('%s', (_, first, second, merged) => {
    expect(mergeTolerations(listOf(first), listOf(second))).toEqual(listOf(merged));
  });
});
