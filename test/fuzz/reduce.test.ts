import { expect, it } from 'vitest';
import type { FuzzInput } from '../../src/fuzz/inputs/input.js';
import { reduceInput } from '../../src/fuzz/run/reduce.js';
import { mapOf } from '../support/map-of.js';

it('a reduction of a large object ends when its time is over', async () => {
  const env = Array.from({ length: 500 }, (_, i) => ({ name: `NAME_${i}`, value: 'a value' }));
  const object = mapOf({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [{ name: 'a', env }] } });
  let [tries, asked] = [0, 0];
  const shows = async (inputs: readonly FuzzInput[]): Promise<boolean[]> => {
    tries += inputs.length;
    return inputs.map(() => false);
  };
  const isOver = (): boolean => {
    if (tries >= 20) asked += 1;
    return tries >= 20;
  };
  const input = { object, operation: 'create' } as FuzzInput;
  expect(await reduceInput(input, shows, { maxTries: 500, width: 1, plain: undefined, others: [], isOver })).toBe(input);
  expect(tries).toBe(20);
  // Where it goes on, not for each of the parts and texts.
  expect(asked).toBeLessThan(20);
});
