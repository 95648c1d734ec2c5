import { expect, it } from 'vitest';
import { callsAtOnce } from '../../src/cli/commands/replay/calls-at-once.js';
import { monotonicMs } from '../../src/transport/clock.js';

/** How long the number may take to change: beside other programs, a thread that only waits is busy for some intervals, too. */
const limitMs = 20_000;

it('makes fewer calls at the same time while computing takes the time, and more while webhooks do', async () => {
  const calls = callsAtOnce();
  const first = calls();
  const start = monotonicMs();
  let busy = first;
  while (busy >= first && monotonicMs() - start < limitMs) busy = calls();
  expect(busy).toBeLessThan(first);
  await expect.poll(calls, { interval: 110, timeout: limitMs }).toBeGreaterThan(busy);
});
