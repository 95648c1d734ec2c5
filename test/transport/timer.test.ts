import { describe, expect, it } from 'vitest';
import { monotonicMs } from '../../src/transport/clock.js';
import { startTimer } from '../../src/transport/deadline.js';

describe('a timer', () => {
  it('is never early', async () => {
    const elapsed: number[] = [];
    for (let i = 0; i < 200; i += 1) {
      const start = monotonicMs();
      await new Promise<void>(resolve => {
        startTimer(resolve, 2.9);
      });
      elapsed.push(monotonicMs() - start);
    }
    expect(Math.min(...elapsed)).toBeGreaterThanOrEqual(2.9);
  });

  it('does nothing after it is stopped', async () => {
    let calls = 0;
    const stop = startTimer(() => {
      calls += 1;
    }, 1);
    stop();
    await new Promise<void>(resolve => {
      startTimer(resolve, 20);
    });
    expect(calls).toBe(0);
  });
});
