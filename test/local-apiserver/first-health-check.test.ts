import { request } from 'node:https';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { issueServingPair } from '../../src/certificates/issue.js';
import { effectsFor } from '../../src/cli/shell/effects.js';
import { apiServers } from '../../src/cli/work/api-servers/api-servers.js';
import { defaultServerOptions, flagValues, serverOptions } from '../../src/kubernetes/server-options.js';
import type { KeyPair } from '../../src/local-apiserver/key-pair.js';
import { type LocalServerOptions, type RunningApiServer, startApiServer } from '../../src/local-apiserver/start-server.js';
import { createTransport } from '../../src/transport/call-webhook.js';

let pair: KeyPair;
let server: RunningApiServer;
/** Names of the store that were asked for. */
let restored = 0;

beforeAll(async () => {
  pair = await issueServingPair({ dns: [], ips: ['127.0.0.1'] }, new Date());
});
afterEach(() => server.close());

async function start(options: Partial<LocalServerOptions> = {}): Promise<void> {
  const { callWebhook } = createTransport();
  restored = 0;
  server = await startApiServer({
    ...{ server: apiServers(), host: '127.0.0.1', port: 0, pair, objects: [], options: defaultServerOptions, isPolled: true },
    users: [{ token: 'admin-token', username: 'admin', groups: ['system:masters'] }],
    effects: () => effectsFor(callWebhook),
    restore: async () => {
      restored += 1;
      return undefined;
    },
    ...options,
  });
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: readonly string[];
  readonly body: string;
}

function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, server.url), { headers, agent: false, rejectUnauthorized: false }, response => {
      let body = '';
      response.on('data', (part: Buffer) => {
        body += part.toString('utf8');
      });
      response.on('end', () => resolve({ status: response.statusCode, headers: Object.keys(response.headers).sort(), body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('the first health check of an API server for which clients wait', () => {
  it('is answered like the second one', async () => {
    await start();
    const first = await get('/readyz');
    expect(first).toMatchObject({ status: 200, body: 'ok' });
    expect(first.headers).toEqual(expect.arrayContaining(['audit-id', 'cache-control', 'x-content-type-options']));
    const second = await get('/readyz');
    // The first one is answered before there are flow schemas.
    expect({ ...second, headers: second.headers.filter(name => !name.startsWith('x-kubernetes-pf-')) }).toEqual(first);
  });

  it('makes the server fill its store', async () => {
    await start();
    expect(restored).toBe(0);
    await get('/readyz');
    const { status, body } = await get('/api/v1/namespaces/kube-system', { authorization: 'Bearer admin-token' });
    expect([status, JSON.parse(body).metadata.name, restored]).toEqual([200, 'kube-system', 1]);
  });

  it.each<[string, Partial<LocalServerOptions>, Record<string, string>, number]>([
    ['an invalid token', {}, { authorization: 'Bearer other' }, 401],
    ['a token of a user', {}, { authorization: 'Bearer admin-token' }, 200],
    ['impersonation', {}, { 'impersonate-user': 'jane' }, 403],
    ['no anonymous users', { allowsAnonymous: () => false }, {}, 401],
    ['AlwaysDeny', { options: serverOptions(flagValues(['--authorization-mode=AlwaysDeny'])) }, {}, 403],
    ['AlwaysAllow', { options: serverOptions(flagValues(['--authorization-mode=AlwaysAllow'])) }, {}, 200],
  ])('is authenticated and authorized: %s', async (_, options, headers, status) => {
    await start(options);
    expect((await get('/readyz', headers)).status).toBe(status);
  });
});
