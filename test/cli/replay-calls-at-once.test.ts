import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { callsAtOnce } from '../../src/cli/commands/replay/calls-at-once.js';
import { monotonicMs } from '../../src/transport/clock.js';

it('makes fewer calls at the same time while computing takes the time, and more while webhooks do', async () => {
  const calls = callsAtOnce();
  const first = calls();
  const start = monotonicMs();
  while (monotonicMs() - start < 150);
  const busy = calls();
  await setTimeout(150);
  const idle = calls();
  expect([busy < first, idle > busy]).toEqual([true, true]);
});
