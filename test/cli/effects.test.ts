import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { effectsFor } from '../../src/cli/effects.js';
import type { WebhookCall } from '../../src/kubernetes/webhook-call.js';
import { undelayedMs } from '../../src/transport/delays.js';
import { block } from '../support/block.js';

const call = {} as WebhookCall;

function slowWebhook() {
  return effectsFor(() => setTimeout(30, { outcome: 'noClient' as const, message: '' }));
}

/** Returns the milliseconds of some work, on the clock of deadlines. */
async function undelayed(work: () => Promise<unknown>): Promise<number> {
  const start = undelayedMs();
  await work();
  return undelayedMs() - start;
}

describe('the elapsed time of a call', () => {
  it('counts concurrent webhooks once', async () => {
    const { callWebhook, elapsedMs } = slowWebhook();
    const took = await undelayed(() => Promise.all([callWebhook(call), callWebhook(call)]));
    expect(elapsedMs()).toBeGreaterThan(took - 1);
    expect(elapsedMs()).toBeLessThanOrEqual(took + 1);
  });

  it('counts one millisecond of the work of this program at most', () => {
    const { elapsedMs } = slowWebhook();
    block(30);
    expect(elapsedMs()).toBeLessThanOrEqual(1);
  });

  it('adds webhooks that are called one after the other', async () => {
    const { callWebhook, elapsedMs } = slowWebhook();
    const first = await undelayed(() => callWebhook(call));
    block(30);
    const second = await undelayed(() => callWebhook(call));
    expect(elapsedMs()).toBeGreaterThan(first + second - 2);
    expect(elapsedMs()).toBeLessThanOrEqual(first + second + 1);
  });
});
