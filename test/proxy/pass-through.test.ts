import { afterEach, describe, expect, it } from 'vitest';
import { issueServingPair } from '../../src/certificates/issue.js';
import { allow, type Script } from '../../src/webhook-server/script/script.js';
import { exchangeBytes, type ProxiedWebhook, post, review, startProxied } from './proxied-webhook.js';

let webhook: ProxiedWebhook | undefined;

afterEach(async () => {
  await webhook?.close();
  webhook = undefined;
});

async function proxied(script: Script, options?: Parameters<typeof startProxied>[1]): Promise<ProxiedWebhook> {
  webhook = await startProxied(script, options);
  return webhook;
}

describe('a proxied webhook', () => {
  it.each([
    [
      'headers of any case and order',
      { kind: 'http', headers: { 'X-b': '1', 'x-A': ['2', '3'], 'CONTENT-TYPE': 'a/b' }, body: '{}', ending: 'close' },
    ],
    ['chunks', { kind: 'http', chunked: true, body: { repeat: 'x', times: 3_000_000 }, ending: 'close' }],
    ['a body without a length', { kind: 'http', noLength: true, body: 'abc', ending: 'close' }],
    ['a status line of its own', { kind: 'http', status: 299, reason: 'Somehow', body: '', ending: 'close' }],
    ['what is not HTTP', { kind: 'raw', bytes: 'gibberish\n\n', ending: 'close' }],
  ] as const)('answers the same bytes: %s', async (_, endpoint) => {
    const { direct, proxied: port, ca } = await proxied({ endpoint });
    const asked = `POST /validate HTTP/1.1\r\nhost: x\r\nX-odd:  spaces \r\nContent-Length: ${review().length}\r\n\r\n${review()}`;
    expect(await exchangeBytes(port, ca, asked)).toBe(await exchangeBytes(direct, ca, asked));
  });

  it('gets the same bytes, and both are seen', async () => {
    const { proxied: port, ca, calls, exchanges } = await proxied({ endpoint: allow });
    const answer = await post(port, ca, review());
    expect(calls.map(({ body }) => body.toString())).toEqual([review()]);
    expect(answer).toMatchObject({ status: 200 });
    expect(exchanges).toHaveLength(1);
    expect(exchanges[0]?.request.body?.toString()).toBe(review());
    expect(exchanges[0]?.answer?.body?.toString()).toBe(typeof answer === 'string' ? '' : answer.body);
    expect(exchanges[0]?.durationMs).toBeGreaterThanOrEqual(0);
  });

  it('gets several requests of one connection, in order', async () => {
    const { proxied: port, ca, exchanges } = await proxied({ routes: { '/a': allow, '/b': { ...allow, ending: 'close' } } });
    const to = (path: string): string => `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${review().length}\r\n\r\n${review()}`;
    await exchangeBytes(port, ca, to('/a') + to('/b'));
    expect(exchanges.map(({ request }) => request.start)).toEqual(['POST /a HTTP/1.1', 'POST /b HTTP/1.1']);
  });

  it('breaks off where the webhook does', async () => {
    const { proxied: port, ca, exchanges } = await proxied({ endpoint: { kind: 'http', body: 'abc', contentLength: 10, ending: 'reset' } });
    expect(await post(port, ca, review())).toMatch(/ECONNRESET/);
    await expect.poll(() => exchanges.map(({ answer }) => answer)).toEqual([undefined]);
  });

  it('that is not there is answered for, with the reason', async () => {
    const refused = await proxied({ endpoint: { kind: 'refuse' } });
    const answer = await post(refused.proxied, refused.ca, review());
    const sentence = `webhook-cli proxy: cannot reach https://127.0.0.1:${refused.direct}: connection refused`;
    expect(answer).toMatchObject({ status: 502, body: `${sentence}\n` });
    expect(refused.unreachable).toEqual([sentence]);
  });

  it('with a certificate of another authority is not trusted', async () => {
    const { ca: other } = await issueServingPair({ dns: [], ips: [] }, new Date());
    const { proxied: port, ca, unreachable, calls } = await proxied({ endpoint: allow }, { authority: other });
    expect(await post(port, ca, review())).toMatchObject({ status: 502 });
    expect(unreachable[0]).toMatch(/cannot reach .*; pass its CA with --ca-file$/);
    expect(calls).toEqual([]);
  });
});
