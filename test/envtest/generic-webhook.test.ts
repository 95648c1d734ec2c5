import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tokenWebhook } from '../../src/envtest/token-webhook.js';
import { genericWebhook } from '../../src/envtest/webhooks/generic-webhook.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { webhookKubeconfig } from './support/control-plane.js';

let server: Server;
let folder: string;
let remove: () => void;
const requests: string[] = [];
/** What is answered at a path: a body of status 200, a status and its body, or nothing. */
const answers = new Map<string, (count: number) => string | readonly [number, string, Record<string, string>?] | undefined>();

beforeAll(async () => {
  ({ folder, remove } = temporaryFolder({}));
  server = createServer(async (incoming, outgoing) => {
    await incoming.toArray();
    const at = new URL(incoming.url ?? '', 'http://a').pathname;
    requests.push(at);
    const answer = answers.get(at)?.(requests.filter(one => one === at).length);
    if (answer === undefined) return void incoming.socket.resetAndDestroy();
    const [code, body, headers = {}] = typeof answer === 'string' ? ([200, answer] as const) : answer;
    outgoing.writeHead(code, { 'Content-Type': 'application/json', ...headers }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  requests.length = 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  remove();
});

function kubeconfigOf(at: string): string {
  const file = path.join(folder, `${at.replaceAll('/', '')}.yaml`);
  writeFileSync(file, webhookKubeconfig(`http://127.0.0.1:${(server.address() as AddressInfo).port}${at}`));
  return file;
}

const failure = (code: number, more: object = {}): string =>
  JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'from the webhook', code, ...more });
const times = { timeoutMs: 30_000, totalMs: 60_000 };

/** Numbers of requests that kube-apiserver v1.36 makes for TokenReviews and SubjectAccessReviews alike. */
const cases: [string, readonly [number, string, Record<string, string>?] | undefined, number, string][] = [
  ['status 500', [500, 'no'], 5, 'an error on the server ("unknown") has prevented the request from succeeding'],
  ['status 500 with a Status', [500, failure(500)], 5, 'from the webhook'],
  ['status 502', [502, 'no'], 5, 'an error on the server ("unknown") has prevented the request from succeeding'],
  ['status 502 with a Status', [502, failure(502)], 1, 'from the webhook'],
  ['status 429', [429, 'no'], 5, 'the server has received too many requests and has asked us to try again later'],
  [
    'status 504',
    [504, 'no'],
    5,
    'the server was unable to return a response in the time allotted, but may still be processing the request',
  ],
  ['a reset connection', undefined, 5, ': read: connection reset by peer'],
  ['a delay of a Status', [400, failure(400, { details: { retryAfterSeconds: 1 } })], 5, 'from the webhook'],
  ['status 503', [503, 'no'], 1, 'the server is currently unable to handle the request'],
  ['status 400', [400, 'no'], 1, 'the server rejected our request for an unknown reason'],
  ['status 404', [404, 'no'], 1, 'the server could not find the requested resource'],
  [
    'a Status that is a success',
    [404, '{"kind":"Status","status":"Success","message":"x"}'],
    1,
    'the server could not find the requested resource',
  ],
];

describe('the client of review webhooks', { timeout: 60_000 }, () => {
  it('sends as many requests as kube-apiserver', async () => {
    const found = await Promise.all(
      cases.map(async ([name, answer], index) => {
        const at = `/${index}`;
        answers.set(at, () => answer);
        const post = genericWebhook(kubeconfigOf(at), 'authorization', folder);
        const error = await post('{}', times).catch((caught: Error) => caught);
        return [name, requests.filter(one => one === at).length, (error as Error).message];
      }),
    );
    expect(found).toEqual(cases.map(([name, , count, message]) => [name, count, expect.stringContaining(message)]));
  });

  it('returns the first answer', async () => {
    answers.set('/first', count => (count < 2 ? [500, ''] : '{"status":{"allowed":true}}'));
    const review = await genericWebhook(kubeconfigOf('/first'), 'authorization', folder)('{}', times);
    expect([review, requests.length]).toEqual([new Map([['status', new Map([['allowed', true]])]]), 2]);
  });

  it('returns the last error when its time is over', async () => {
    answers.set('/late', () => [500, failure(500)]);
    const post = genericWebhook(kubeconfigOf('/late'), 'authorization', folder);
    await expect(post('{}', { timeoutMs: 30_000, totalMs: 400 })).rejects.toThrow('from the webhook');
    expect(requests).toHaveLength(1);
  });
});

describe('reviews of tokens', () => {
  const reviewToken = (at: string) =>
    tokenWebhook(new Map([['authentication-token-webhook-config-file', [kubeconfigOf(at)]]]), ['api'], folder);
  const user = (more: object) => JSON.stringify({ status: { authenticated: true, user: { username: 'jane', ...more } } });

  it('keep users and refusals, and ask again after errors', async () => {
    answers.set('/users', () => user({ groups: ['a'], extra: { ['__proto__']: ['x'] } }));
    answers.set('/refused', () => '{"status":{"authenticated":false}}');
    answers.set('/down', count => (count === 1 ? [503, ''] : user({})));
    answers.set('/error', () => '{"status":{"error":"the provider is down"}}');
    const found: unknown[] = [];
    for (const at of ['/users', '/refused', '/down', '/error']) {
      const review = reviewToken(at);
      found.push([await review?.('t', ['api']), await review?.('t', ['api']), requests.filter(one => one === at).length]);
    }
    const jane = (more: object) => ({ user: { username: 'jane', uid: '', groups: [], extra: new Map(), ...more }, audiences: ['api'] });
    const grouped = jane({ groups: ['a'], extra: new Map([['__proto__', ['x']]]) });
    const [down, failed] = ['the server is currently unable to handle the request', 'the provider is down'].map(text => ({
      errors: [text],
    }));
    expect(found).toEqual([
      [grouped, grouped, 1],
      [{ errors: [] }, { errors: [] }, 1],
      [down, jane({}), 2],
      [failed, failed, 2],
    ]);
  });

  it.each([
    '{"status":[]}',
    '[]',
    '"a"',
    'null',
    '{"status":{"authenticated":true,"user":{"extra":[["a"]]}}}',
    user({ groups: 'a' }),
    user({ uid: 1 }),
  ])('refuse the token after %s', async text => {
    answers.set('/wrong', () => text);
    expect(await reviewToken('/wrong')?.('t', ['api'])).toEqual({ errors: [expect.any(String)] });
  });
});
