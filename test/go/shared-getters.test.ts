import { expect, it } from 'vitest';
import { sharedGetters } from '../../src/go/shared-getters.js';

const withText = sharedGetters<{ readonly text: string; readonly length?: number }>('text', 'length');

it('makes members each time they are read, as members of their own', () => {
  let made = 0;
  const next = () => {
    made += 1;
    return String(made);
  };
  const object = withText({ name: 'a' }, { text: next, length: () => undefined });
  expect(made).toBe(0);
  expect([object.text, object.text, object.length]).toEqual(['1', '2', undefined]);
  expect(Object.keys(object)).toEqual(['name', 'text', 'length']);
  expect({ ...object }).toEqual({ name: 'a', text: '3', length: undefined });
  expect(JSON.stringify(object)).toBe('{"name":"a","text":"4"}');
});

it('adds the same getters to all objects', () => {
  const [first, second] = ['a', 'b'].map(text => withText({}, { text: () => text, length: () => text.length }));
  expect([first?.text, second?.text]).toEqual(['a', 'b']);
  expect(Object.getOwnPropertyDescriptor(first, 'text')?.get).toBe(Object.getOwnPropertyDescriptor(second, 'text')?.get);
});
