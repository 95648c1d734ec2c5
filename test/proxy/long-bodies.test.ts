import { afterEach, describe, expect, it } from 'vitest';
import { recordingOf } from '../../src/proxy/recording-of.js';
import { allow } from '../../src/webhook-server/script/script.js';
import { type ProxiedWebhook, post, review, startProxied } from './proxied-webhook.js';

const limit = 32 * 1024 * 1024;
const padded = (length: number): string => review().padEnd(length);
let webhook: ProxiedWebhook | undefined;

afterEach(async () => {
  await webhook?.close();
  webhook = undefined;
});

describe('a body of more than 32 MiB', { timeout: 60_000 }, () => {
  it('is passed on, and not recorded', async () => {
    webhook = await startProxied({ endpoint: allow });
    for (const length of [limit, limit + 1]) expect(await post(webhook.proxied, webhook.ca, padded(length))).toMatchObject({ status: 200 });
    expect(webhook.calls.map(({ body }) => body.length)).toEqual([limit, limit + 1]);
    expect(webhook.exchanges.map(({ request }) => request.body?.length)).toEqual([limit, undefined]);
    expect(webhook.exchanges.map(exchange => recordingOf(exchange) !== undefined)).toEqual([true, false]);
  });

  it('is answered with 502 if faults are chosen, and is not sent', async () => {
    webhook = await startProxied({ endpoint: allow }, { faults: [] });
    const answers = [];
    for (const length of [limit, limit + 1]) answers.push(await post(webhook.proxied, webhook.ca, padded(length)));
    expect(answers).toMatchObject([{ status: 200 }, { status: 502, body: expect.stringContaining('the request is longer than 32 MiB') }]);
    expect(webhook.calls).toHaveLength(1);
  });
});
