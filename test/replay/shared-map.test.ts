import fc from 'fast-check';
import { expect, it } from 'vitest';
import { emptySharedMap } from '../../src/replay/shared-map.js';

const keys = fc.integer({ min: 0, max: 99 }).map(String);
const changes = fc.array(fc.tuple(keys, fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined })), { maxLength: 400 });

it('equals a copied map after every change, also when it has changed since', () => {
  fc.assert(
    fc.property(changes, list => {
      let shared = emptySharedMap<number>();
      const plain = new Map<string, number>();
      const states = list.map(([key, value]) => {
        shared = value === undefined ? shared.without(key) : shared.with(key, value);
        if (value === undefined) plain.delete(key);
        else plain.set(key, value);
        return { shared, plain: [...plain] };
      });
      for (const { shared: state, plain: expected } of states) {
        expect(state.entries()).toEqual(expected);
        expect(state.size).toBe(expected.length);
        for (const [key, value] of expected) expect(state.get(key)).toBe(value);
      }
    }),
    { seed: 7, numRuns: 100 },
  );
});
