import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBackendTransport } from '../../../src/transport/call-backend.js';
import { makeCertificate } from '../../support/certificate-maker.js';
import { type LocalServer, startLocalServer } from '../../support/local-cluster.js';
import { playScenes, type Recorded } from './scenes.js';

let local: LocalServer;
let played: Recorded;

beforeAll(async () => {
  const client = makeCertificate({ subject: 'front-proxy-client' });
  const { callBackend } = createBackendTransport({ clientCertificate: { certificate: client.pem, key: client.keyPem } });
  local = await startLocalServer({
    callBackend,
    users: [{ token: 'admin-token', username: 'kubernetes-admin', groups: ['system:masters'] }],
  });
  played = await playScenes({ url: local.server.url, token: 'admin-token' });
}, 60_000);

afterAll(() => local.server.close());

const recorded = JSON.parse(readFileSync('fixtures/aggregation/v1.36.3.json', 'utf8')) as Recorded;

it.each(Object.keys(recorded))('passes on and answers as kube-apiserver: %s', step => {
  expect(played[step]).toEqual(recorded[step]);
});
