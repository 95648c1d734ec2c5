#!/usr/bin/env node
// Measures calls per second of this project's transport and of undici's dispatcher, to the same server in the same run.
// `node bench/transport.mjs [CALLS]`, after `npm run build`.
import { createServer } from 'node:https';
import { Pool } from 'undici';
import { issueServingPair } from '../dist/src/certificates/issue.js';
import { createTransport } from '../dist/src/transport/call-webhook.js';

const calls = Number(process.argv[2] ?? 2000);
const { ca, cert, key } = await issueServingPair({ dns: [], ips: [] }, new Date());
const body = JSON.stringify({ kind: 'AdmissionReview', request: { uid: 'u', object: { data: 'x'.repeat(2000) } } });
const answer = JSON.stringify({ kind: 'AdmissionReview', response: { uid: 'u', allowed: true } });
const server = createServer({ cert, key, ALPNProtocols: ['http/1.1'] }, (request, response) => {
  request.resume().on('end', () => response.setHeader('content-type', 'application/json').end(answer));
});
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address();

async function rate(call) {
  for (let i = 0; i < 50; i += 1) await call();
  const start = performance.now();
  for (let i = 0; i < calls; i += 1) await call();
  return Math.round((calls / (performance.now() - start)) * 1000);
}

const transport = createTransport({ keepConnections: true });
const url = `https://localhost:${port}/v?timeout=10s`;
const review = {
  phase: 'validating',
  configuration: 'c',
  webhook: 'w',
  url,
  address: { host: '127.0.0.1', port },
  serverName: 'localhost',
  caBundle: Buffer.from(ca),
  timeoutSeconds: 10,
  deadlineMs: 10_000,
  body,
};
const ours = await rate(async () => {
  const outcome = await transport.callWebhook(review);
  if (outcome.outcome !== 'answered') throw new Error(outcome.message);
});
await transport.close();

const pool = new Pool(`https://localhost:${port}`, {
  connections: 1,
  connect: {
    ca,
    allowH2: false,
    lookup: (_name, options, done) => done(null, options.all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4),
  },
});
const undici = await rate(
  () =>
    new Promise((resolve, reject) => {
      const handler = { onConnect() {}, onHeaders: () => true, onData: () => true, onComplete: resolve, onError: reject };
      pool.dispatch({ path: '/v?timeout=10s', method: 'POST', headers: { 'content-type': 'application/json' }, body }, handler);
    }),
);
await pool.close();
server.close();
console.log(`this transport ${ours} calls/s, undici's dispatcher ${undici} calls/s, ratio ${(ours / undici).toFixed(2)}`);
