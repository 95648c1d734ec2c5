import { describe, expect, it } from 'vitest';
import type { WebhookAnswer, WebhookCall } from '../../src/kubernetes/webhook-call.js';
import { addToHistogram, type Histogram, mergedHistogram, quantilesOf } from '../../src/replay/histogram.js';
import { runLoad } from '../../src/replay/load.js';
import { timedCalls } from '../../src/replay/outages.js';

const call: WebhookCall = {
  ...{
    phase: 'validating',
    configuration: 'v',
    webhook: 'v.example.com',
    url: 'https://127.0.0.1:1/?timeout=10s',
    serverName: 'x',
    caBundle: undefined,
  },
  ...{ address: { host: '127.0.0.1', port: 1 }, timeoutSeconds: 10, deadlineMs: 10_000, body: '{}' },
} as WebhookCall;

const answered = (durationMs: number): WebhookAnswer => ({
  outcome: 'answered',
  statusCode: 200,
  headers: [],
  body: new Uint8Array(),
  durationMs,
});

describe('quantiles of a histogram', () => {
  it('are exact to one percent, also of two histograms together', () => {
    const [even, odd]: [Histogram, Histogram] = [{}, {}];
    for (let ms = 1; ms <= 1000; ms += 1) addToHistogram(ms % 2 === 0 ? even : odd, ms);
    const quantiles = quantilesOf(mergedHistogram(even, odd), [0.5, 0.99, 1]);
    for (const [i, exact] of [500, 990, 1000].entries()) expect(Math.abs((quantiles[i] ?? 0) / exact - 1)).toBeLessThan(0.011);
    expect(quantilesOf({}, [0.5])).toEqual([0]);
  });
});

describe('a load', () => {
  it('sends reviews on time, though answers are late, and counts latency from the time at which they were due', async () => {
    let now = 0;
    const pending: (() => void)[] = [];
    const sentAt: number[] = [];
    const tally = runLoad([call], {
      callWebhook: () =>
        new Promise(resolve => {
          sentAt.push(now);
          pending.push(() => resolve(answered(0)));
        }),
      perSecond: 10,
      forMs: 1000,
      clock: () => now,
      until: async ms => {
        // The machine is busy: everything starts 20 ms late.
        now = ms + 20;
      },
      isOver: () => false,
    });
    await new Promise(setImmediate);
    now = 1500;
    for (const answer of pending) answer();
    const { sent, latencies, errors } = await tally;
    expect(sent).toBe(10);
    expect(sentAt).toEqual([0, 120, 220, 320, 420, 520, 620, 720, 820, 920]);
    const [longest = 0] = quantilesOf(latencies, [1]);
    expect(longest / 1500).toBeCloseTo(1, 1);
    expect(errors).toEqual({});
  });

  it('counts latency from the start of a review that was sent early: timers end up to a millisecond too soon', async () => {
    let now = 0;
    const { latencies } = await runLoad([call], {
      callWebhook: async () => {
        now += 4;
        return answered(4);
      },
      perSecond: 100,
      forMs: 100,
      clock: () => now,
      until: async ms => {
        now = ms - 1;
      },
      isOver: () => false,
    });
    const [shortest = 0] = quantilesOf(latencies, [0.01]);
    expect(shortest / 4).toBeCloseTo(1, 1);
  });
});

describe('an outage', () => {
  const outages = [{ webhook: 'v.example.com', fromMs: 1000, toMs: 2000 }];

  it('takes the whole timeout, and sends nothing, during its time', async () => {
    const timed = timedCalls(async () => answered(3), { outages, latencies: [] }, 1500);
    expect(await timed.callWebhook(call)).toMatchObject({ outcome: 'failed', class: 'time', reason: 'context deadline exceeded' });
    expect([timed.elapsedMs(), timed.sent()]).toEqual([10_000, 0]);
  });

  it('is over afterwards', async () => {
    const timed = timedCalls(async () => answered(3), { outages, latencies: [] }, 2000);
    expect(await timed.callWebhook(call)).toMatchObject({ outcome: 'answered' });
    expect([timed.elapsedMs(), timed.sent()]).toEqual([3, 1]);
  });

  it('adds a latency, up to the timeout', async () => {
    const late = (ms: number) =>
      timedCalls(async () => answered(3), { outages: [], latencies: [{ webhook: 'v/v.example.com', ms }] }, undefined);
    const some = late(500);
    expect(await some.callWebhook(call)).toMatchObject({ outcome: 'answered', durationMs: 503 });
    expect(await late(9998).callWebhook(call)).toMatchObject({ outcome: 'failed', class: 'time' });
  });

  it('lets validating webhooks wait at the same time, and mutating ones after each other', async () => {
    const latencies = [{ webhook: 'v.example.com', ms: 100 }];
    const parallel = timedCalls(async () => answered(0), { outages: [], latencies }, undefined);
    await Promise.all([parallel.callWebhook(call), parallel.callWebhook(call)]);
    expect(parallel.elapsedMs()).toBe(100);
    const serial = timedCalls(async () => answered(0), { outages: [], latencies }, undefined);
    await serial.callWebhook(call);
    await serial.callWebhook(call);
    expect(serial.elapsedMs()).toBe(200);
  });
});
