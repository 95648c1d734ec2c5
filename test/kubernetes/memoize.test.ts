import { expect, it } from 'vitest';
import { lazy, memoizeInside, valuesInside } from '../../src/kubernetes/memoize.js';

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

it('memoizes inside an object, not in its copies', () => {
  let made = 0;
  const numberOf = memoizeInside((_object: object) => {
    made += 1;
    return made;
  });
  const object = { name: 'a' };
  expect([numberOf(object), numberOf(object), numberOf({ ...object }), numberOf(object)]).toEqual([1, 1, 2, 1]);
  expect(object).toStrictEqual({ name: 'a' });
});

it('keeps undefined as a result, too', () => {
  let made = 0;
  const nothing = memoizeInside((_object: object) => {
    made += 1;
    return undefined;
  });
  const object = {};
  expect([nothing(object), nothing(object), made]).toEqual([undefined, undefined, 1]);
});

it('keeps values inside objects, the last one of each table', () => {
  const [first, second] = [valuesInside<object, string>(), valuesInside<object, string>()];
  const object = new Map();
  first.set(object, 'a');
  second.set(object, 'b');
  first.set(object, 'c');
  expect([first.get(object), second.get(object), first.get(new Map())]).toEqual(['c', 'b', undefined]);
  expect([...object]).toEqual([]);
});
