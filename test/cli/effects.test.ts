import { describe, expect, it } from 'vitest';
import { effectsFor } from '../../src/cli/shell/effects.js';
import type { WebhookCall } from '../../src/kubernetes/webhook-call.js';

const call = {} as WebhookCall;

/** Returns effects on a clock of their own, with the time in it, and a webhook that answers when it is told to. */
function onOwnClock() {
  let nowMs = 1_000;
  const waiting: (() => void)[] = [];
  const callWebhook = () =>
    new Promise<{ outcome: 'noClient'; message: string }>(resolve => waiting.push(() => resolve({ outcome: 'noClient', message: '' })));
  const { callWebhook: made, elapsedMs } = effectsFor(callWebhook, {}, () => nowMs);
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { make: () => made(call), elapsedMs, pass, answer: () => waiting.shift()?.() };
}

describe('the elapsed time of a call', () => {
  it('counts concurrent webhooks once', async () => {
    const { make, elapsedMs, pass, answer } = onOwnClock();
    const both = [make(), make()];
    pass(20);
    answer();
    await both[0];
    pass(10);
    answer();
    await both[1];
    // And one millisecond of this program's own work.
    expect(elapsedMs()).toBe(31);
  });

  it('counts one millisecond of the work of this program at most', () => {
    const { elapsedMs, pass } = onOwnClock();
    expect(elapsedMs()).toBe(0);
    pass(0.5);
    expect(elapsedMs()).toBe(0.5);
    pass(30);
    expect(elapsedMs()).toBe(1);
  });

  it('adds webhooks that are called one after the other', async () => {
    const { make, elapsedMs, pass, answer } = onOwnClock();
    for (const ms of [30, 50]) {
      const made = make();
      pass(ms);
      expect(elapsedMs()).toBe((ms === 30 ? 0 : 30) + ms + 1);
      answer();
      await made;
      pass(40);
    }
    expect(elapsedMs()).toBe(81);
  });
});
