import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBackendTransport } from '../../../src/transport/call-backend.js';
import { type LocalServer, startLocalServer } from '../../support/local-cluster.js';
import { apiServers } from '../../support/server.js';
import { playScenes, type Recorded } from './scenes.js';

const recordings = [
  ['v1.36', 'v1.36.3'],
  ['v1.37', 'v1.37.2'],
] as const;

describe.each(recordings)('an API server of %s', (minor, release) => {
  let local: LocalServer;
  let played: Recorded;

  beforeAll(async () => {
    const forwards = new Map<string, { readonly host: string; readonly port: number }>();
    const { callBackend } = createBackendTransport();
    local = await startLocalServer({
      callBackend,
      forwards,
      server: apiServers({ minor }),
      users: [{ token: 'admin-token', username: 'kubernetes-admin', groups: ['system:masters'] }],
    });
    const lead = (ports: readonly number[]): void => {
      for (const port of ports) forwards.set(`shop/web-0:${port}`, { host: '127.0.0.1', port });
    };
    played = await playScenes({ url: local.server.url, token: 'admin-token', host: '127.0.0.1', lead });
  }, 60_000);

  afterAll(() => local.server.close());

  const recorded = JSON.parse(readFileSync(`fixtures/proxies/${release}.json`, 'utf8')) as Recorded;

  it.each(Object.keys(recorded))('passes on and answers as kube-apiserver: %s', step => {
    expect(played[step]).toEqual(recorded[step]);
  });
});
