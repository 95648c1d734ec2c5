import { expect, it } from 'vitest';
import type { CompactObject } from '../../../src/encoding/compact-object.js';
import { stringAt, toValue, type ValueMap } from '../../../src/go/value.js';
import { newTrees } from '../../../src/local-apiserver/store/trees.js';

const large = (name: string): ValueMap => toValue({ metadata: { name }, data: 'x'.repeat(100_000) }) as ValueMap;

it('of many objects, only those that are used stay trees', () => {
  const compacted: ValueMap[] = [];
  const trees = newTrees(object => compacted.push(object));
  const used = trees.keep(large('used'));
  const others: ValueMap[] = [];
  for (let i = 0; i < 200; i += 1) {
    others.push(trees.keep(large(`other-${i}`)));
    stringAt(used, 'metadata', 'name');
  }
  expect(isCompact(used)).toBe(false);
  expect(compacted.length).toBeGreaterThan(150);
  expect(others.filter(isCompact).length).toBe(compacted.length);
  const [first] = others as [ValueMap];
  expect(stringAt(first, 'metadata', 'name')).toBe('other-0');
  expect(isCompact(first)).toBe(false);
});

function isCompact(object: ValueMap): boolean {
  return (object as CompactObject).isCompact;
}
