import { afterAll, expect, it, onTestFinished } from 'vitest';
import { issueServingPair } from '../../src/certificates/issue.js';
import { createTransport } from '../../src/transport/call-webhook.js';
import { call, certificates, closeServers, listenTls, ok, onRequest } from './loopback.js';

afterAll(closeServers);

it('are used for calls with the same caBundle only', async () => {
  let connections = 0;
  const port = await listenTls(socket => {
    connections += 1;
    onRequest(answered => answered.write(ok('{}')))(socket);
  });
  const transport = createTransport({ keepConnections: true });
  onTestFinished(() => transport.close());
  const { ca } = await certificates();
  const { ca: other } = await issueServingPair({ dns: [], ips: [] }, new Date());
  const outcomes: string[] = [];
  for (const caBundle of [ca, ca, other, ca]) outcomes.push((await transport.callWebhook(call(port, { caBundle }))).outcome);
  expect(outcomes).toEqual(['answered', 'answered', 'failed', 'answered']);
  expect(connections).toBe(1);
});
