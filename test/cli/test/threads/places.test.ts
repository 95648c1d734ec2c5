import { describe, expect, it } from 'vitest';
import { placesFor } from '../../../../src/cli/threads/places.js';

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

describe('places', () => {
  it('are taken in order, and passed on when a function ends or fails', async () => {
    const started: number[] = [];
    const ends: (() => void)[] = [];
    const run = placesFor(2, new AbortController().signal);
    const results = [0, 1, 2, 3].map(number =>
      run(async () => {
        started.push(number);
        await new Promise<void>(resolve => {
          ends[number] = resolve;
        });
        if (number === 1) throw new Error('one');
        return number;
      }),
    );
    const settled = Promise.allSettled(results);
    await turn();
    expect(started).toEqual([0, 1]);
    ends[1]?.();
    await turn();
    expect(started).toEqual([0, 1, 2]);
    ends[0]?.();
    await turn();
    expect(started).toEqual([0, 1, 2, 3]);
    for (const end of ends) end();
    expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    // All places are free again.
    expect(await Promise.all([run(async () => 'a'), run(async () => 'b')])).toEqual(['a', 'b']);
  });

  it('are not given to functions that wait when the run ends', async () => {
    const ending = new AbortController();
    const run = placesFor(1, ending.signal);
    let end = (): void => {};
    const first = run(() => new Promise<void>(resolve => (end = resolve)));
    let hasRun = false;
    void run(async () => {
      hasRun = true;
    });
    ending.abort();
    end();
    await first;
    await turn();
    expect(hasRun).toBe(false);
  });
});
