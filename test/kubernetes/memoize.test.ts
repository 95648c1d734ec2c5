import { expect, it } from 'vitest';
import { whenAsked } from '../../src/kubernetes/memoize.js';

it('makes what somebody asks for, once', () => {
  let made = 0;
  const count = whenAsked(() => {
    made += 1;
    return made;
  });
  expect(made).toBe(0);
  expect([count(), count(), made]).toEqual([1, 1, 1]);
});

it('tries again what failed', () => {
  const failures = [new Error('first'), new Error('second')];
  const value = whenAsked(() => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return 'made';
  });
  expect(value).toThrow('first');
  expect(value).toThrow('second');
  expect([value(), value()]).toEqual(['made', 'made']);
});
