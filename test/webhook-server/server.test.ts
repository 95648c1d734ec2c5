import { once } from 'node:events';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueServingPair } from '../../src/certificates/issue.js';
import { handlers } from '../../src/webhook-server/handlers/handlers.js';
import { type RunningServer, startServer } from '../../src/webhook-server/server.js';

let server: RunningServer;
let ca: string;

beforeAll(async () => {
  const issued = await issueServingPair({ dns: [], ips: [] }, new Date());
  ca = issued.ca;
  server = await startServer({ handler: handlers.demo, cert: issued.cert, key: issued.key, host: '127.0.0.1', port: 0 });
});

afterAll(() => server.close());

interface Sent {
  readonly path?: string;
  readonly method?: string;
  readonly type?: string;
  readonly body?: string;
}

function send({
  path = '/validate',
  method = 'POST',
  type = 'application/json',
  body = '',
}: Sent): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = httpsRequest(server.origin + path, { method, ca, agent: false, headers: { 'Content-Type': type } }, response => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', chunk => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, body: text }));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function review(version: string, image = 'nginx:1', operation = 'CREATE'): string {
  const object = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image }] } };
  const resource = { group: '', version: 'v1', resource: 'pods' };
  return JSON.stringify({
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${version}`,
    request: { uid: 'u-1', resource, operation, object },
  });
}

describe('the reference webhook server', () => {
  it.each(['v1', 'v1beta1'])('answers a review of %s in the same version', async version => {
    const warned = await send({ body: review(version) });
    expect(warned).toEqual({
      status: 200,
      body: `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/${version}","response":{"uid":"u-1","allowed":true,"warnings":["container \\"c\\" has no limits for cpu and memory"]}}`,
    });
    const refused = await send({ body: review(version, 'nginx') });
    expect(JSON.parse(refused.body).response).toEqual({
      uid: 'u-1',
      allowed: false,
      status: { code: 403, reason: 'Forbidden', message: 'container "c" must name a version of its image, not "nginx"' },
    });
  });

  it('sends a patch from the mutating path only', async () => {
    const { response } = JSON.parse((await send({ path: '/mutate?timeout=10s', body: review('v1') })).body);
    expect({ ...response, patch: JSON.parse(Buffer.from(response.patch, 'base64').toString()) }).toEqual({
      uid: 'u-1',
      allowed: true,
      patch: [{ op: 'add', path: '/metadata/labels', value: { 'demo.webhook-cli.dev/reviewed': 'yes' } }],
      patchType: 'JSONPatch',
    });
  });

  it.each<[string, Sent, number, string]>([
    ['another path', { path: '/nope' }, 404, 'not found: this server handles /mutate and /validate\n'],
    ['another method', { method: 'GET' }, 405, 'method not allowed: reviews must be sent with POST\n'],
    ['another type', { type: 'text/plain' }, 415, 'unsupported media type: reviews must be application/json\n'],
    ['no review', { body: '{"kind":"Pod"}' }, 400, 'the body is not of kind AdmissionReview\n'],
    ['no request', { body: '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}' }, 400, 'the AdmissionReview has no request\n'],
    ['another version', { body: review('v2') }, 400, 'AdmissionReview of version "admission.k8s.io/v2" is not supported\n'],
  ])('refuses %s', async (_, sent, status, body) => {
    expect(await send(sent)).toEqual({ status, body });
  });

  it('rejects invalid JSON, with the reason', async () => {
    const { status, body } = await send({ body: '{' });
    expect([status, body.startsWith('the body is not valid JSON: ')]).toEqual([400, true]);
  });

  it('refuses bodies over 8 MiB', async () => {
    // The server may close the connection before the client has sent everything.
    const answer = await send({ body: ' '.repeat(8 * 1024 * 1024 + 1) }).then(
      ({ status }) => status,
      (error: NodeJS.ErrnoException) => error.code,
    );
    expect([413, 'EPIPE', 'ECONNRESET']).toContain(answer);
  });
});

describe('close', () => {
  it('does not wait for clients that never begin or end their TLS handshake', async () => {
    const { cert, key } = await issueServingPair({ dns: [], ips: [] }, new Date());
    const { port, close } = await startServer({ handler: handlers.allow, cert, key, host: '127.0.0.1', port: 0 });
    const silent = connect(port, '127.0.0.1');
    await once(silent, 'connect');
    const started = performance.now();
    await Promise.all([once(silent, 'close'), close()]);
    // The handshake may take 32 seconds.
    expect(performance.now() - started).toBeLessThan(16_000);
  });
});
