import { expect, it } from 'vitest';
import { toValue, type ValueMap } from '../../../src/go/value.js';
import { newLabelIndex } from '../../../src/local-apiserver/store/label-index.js';

const withLabels = (labels?: object): ValueMap =>
  toValue({ metadata: { name: 'n', ...(labels === undefined ? {} : { labels }) } }) as ValueMap;

it('finds keys by a label and its values, in order, and follows changes', () => {
  const index = newLabelIndex();
  index.set('b/1', withLabels({ app: 'x', tier: 'web' }));
  index.set('a/2', withLabels({ app: 'x' }));
  index.set('a/3', withLabels({ app: 'y' }));
  index.set('a/4', withLabels());
  expect(index.keysWith('app', ['x'])).toEqual(['a/2', 'b/1']);
  expect(index.keysWith('app', ['x', 'y', 'z'])).toEqual(['a/2', 'a/3', 'b/1']);
  index.set('b/1', withLabels({ app: 'y' }));
  index.delete('a/2');
  index.delete('a/5');
  expect([index.keysWith('app', ['x']), index.keysWith('tier', ['web']), index.keysWith('app', ['y'])]).toEqual([[], [], ['a/3', 'b/1']]);
});

it('keeps keys whose labels are written again, and replaces those of which one is', () => {
  const index = newLabelIndex();
  const found = () => [index.keysWith('app', ['x']), index.keysWith('tier', ['web']), index.keysWith('tier', ['db'])];
  index.set('a', withLabels({ app: 'x', tier: 'web' }));
  index.set('a', withLabels({ app: 'x', tier: 'web' }));
  index.set('a', withLabels({ tier: 'web', app: 'x' }));
  expect(found()).toEqual([['a'], ['a'], []]);
  index.set('a', withLabels({ app: 'x', tier: 'db' }));
  expect(found()).toEqual([['a'], [], ['a']]);
  index.set('a', withLabels({ app: 'x' }));
  expect(found()).toEqual([['a'], [], []]);
  index.set('a', withLabels());
  index.set('a', withLabels());
  expect(found()).toEqual([[], [], []]);
});
