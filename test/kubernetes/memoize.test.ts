import { expect, it } from 'vitest';
import { lazy } from '../../src/kubernetes/memoize.js';

it('computes a lazy value once, on the first call', () => {
  let made = 0;
  const count = lazy(() => {
    made += 1;
    return made;
  });
  expect(made).toBe(0);
  expect([count(), count(), made]).toEqual([1, 1, 1]);
});

it('computes a lazy value again after an error', () => {
  const failures = [new Error('first'), new Error('second')];
  const value = lazy(() => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return 'made';
  });
  expect(value).toThrow('first');
  expect(value).toThrow('second');
  expect([value(), value()]).toEqual(['made', 'made']);
});
