import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import Wait from '../../commands/wait.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import { freePort } from '../../src/suites/process/start-process.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const pair = (dns: readonly string[] = []) => issueServingPair({ dns, ips: [] }, new Date());

const review = (uid: string): string =>
  JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid, allowed: false } });

/** Max time until the system has closed both ends of a socket, on a busy machine. */
const closingMs = 15_000;

const running: Server[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await new Promise(resolve => server.close(resolve));
});

/** A webhook that refuses everything, or answers with an HTTP status. */
async function listen({ cert, key }: { readonly cert: string; readonly key: string }, port = 0, status = 200): Promise<Server> {
  const server = createServer({ cert, key }, async (incoming, outgoing) => {
    const { request } = JSON.parse(Buffer.concat(await incoming.toArray()).toString());
    outgoing.writeHead(incoming.url?.startsWith('/none') ? 404 : status, { 'Content-Type': 'application/json' });
    outgoing.end(review(request.uid));
  });
  running.push(server);
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
  return server;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

const configuration = (ca: string): string =>
  JSON.stringify({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'guard' },
    webhooks: [
      {
        name: 'guard.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Ignore',
        clientConfig: { service: { namespace: 'shop', name: 'guard', path: '/validate' }, caBundle: Buffer.from(ca).toString('base64') },
        namespaceSelector: { matchLabels: { guarded: 'yes' } },
        rules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['DELETE'], resources: ['deployments'] }],
      },
    ],
  });

describe('wait', { timeout: 30_000 }, () => {
  it('ends when a late server with the wrong certificate has got the right one, and says each reason once', async () => {
    const [right, wrong, port] = [await pair(['guard.shop.svc']), await pair(['guard.shop.svc']), await freePort()];
    const { folder, remove } = temporaryFolder({ 'webhooks.json': configuration(right.ca) });
    const argv = ['-f', 'webhooks.json', '--service', `shop/guard=https://127.0.0.1:${port}`, '--interval', '20ms'];
    let reasons = 0;
    const waited = runCommand(Wait, argv, {
      cwd: folder,
      onStderr: async text => {
        if (!text.startsWith('waiting: ')) return;
        reasons += 1;
        if (reasons === 1) await listen(wrong, port);
        if (reasons === 2) {
          await new Promise<void>(resolve => running.pop()?.close(() => resolve()));
          await listen(right, port);
        }
      },
    });
    const { stdout, stderr, exitCode } = await waited;
    remove();
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^guard\.example\.com is ready: [\d.]+ m?s, \d+ attempts\n$/);
    const post =
      'failed calling webhook "guard.example.com": failed to call webhook: Post "https://guard.shop.svc:443/validate?timeout=10s"';
    const [first = '', second = ''] = stderr.split('\n');
    expect(first).toBe(`waiting: ${post}: dial tcp 127.0.0.1:${port}: connect: connection refused`);
    expect(second).toBe(`waiting: ${post}: tls: failed to verify certificate: x509: certificate signed by unknown authority`);
  });

  it('leaves no socket behind, whether the webhook answers or not', { timeout: 30_000 }, async () => {
    const [right, wrong] = [await pair(['guard.shop.svc']), await pair(['guard.shop.svc'])];
    const servers = [await listen(right), await listen(wrong)];
    const { folder, remove } = temporaryFolder({ 'webhooks.json': configuration(right.ca) });
    const isSocket = (name: string) => name === 'TCPSocketWrap' || name === 'TLSWrap';
    const sockets = () => process.getActiveResourcesInfo().filter(isSocket).length;
    // Tests of other files in this process may have some.
    const before = sockets();
    const waits = (port: number) =>
      runCommand(Wait, ['-f', 'webhooks.json', '--service', `shop/guard=https://127.0.0.1:${port}`, '--timeout', '1ms'], { cwd: folder });
    const exitCodes: number[] = [];
    for (let i = 0; i < 30; i += 1) {
      for (const port of [portOf(servers[0] as Server), portOf(servers[1] as Server), 9]) exitCodes.push((await waits(port)).exitCode);
    }
    remove();
    expect([...new Set(exitCodes)].sort()).toEqual([0, 4]);
    // Both ends of a socket are closed a moment later.
    const open = (server: Server) => new Promise<number>(resolve => server.getConnections((_, count) => resolve(count)));
    await vi.waitFor(
      async () => {
        expect([await open(servers[0] as Server), await open(servers[1] as Server)]).toEqual([0, 0]);
        expect(sockets()).toBeLessThanOrEqual(before);
      },
      { timeout: closingMs, interval: 20 },
    );
  });

  it('ends with 4 and the last reason when the time is over', async () => {
    const { stdout, stderr, exitCode } = await runCommand(Wait, ['--url', `https://127.0.0.1:${await freePort()}/a`, '--timeout', '50ms']);
    expect(exitCode).toBe(4);
    expect(stdout).toBe('');
    expect(stderr).toMatch(
      /^error: webhook\.webhook-cli\.dev is not ready after 50 ms: failed calling webhook .*connection refused\n {2}nothing listens at 127\.0\.0\.1:\d+\n {2}try: start the webhook, or check the port$/m,
    );
  });

  it.each([
    ['an HTTP status that may be about the pod', 500, '/validate', 0],
    ['a service without a path that answers 404', 404, '', 0],
    ['a path that does not exist', 200, '/none', 4],
    ['a proxy without its backend', 503, '/validate', 4],
  ])('takes %s', async (_, status, where, expected) => {
    const own = await pair(['guard.shop.svc']);
    const server = await listen(own, 0, status);
    const { folder, remove } = temporaryFolder({ 'ca.crt': own.ca });
    const argv = ['--service', `shop/guard=https://127.0.0.1:${portOf(server)}${where}`, '--ca-file', 'ca.crt', '--timeout', '40ms'];
    const { exitCode } = await runCommand(Wait, argv, { cwd: folder });
    remove();
    expect(exitCode).toBe(expected);
  });

  it.each<[string, string[], number, RegExp]>([
    ['nothing to wait for', [], 2, /no webhook to wait for; pass --url URL/],
    ['a pattern of services without configurations', ['--service', '*=https://127.0.0.1:1'], 2, /invalid --service/],
    ['two kinds of webhooks', ['--url', 'https://127.0.0.1:1/', '-f', 'x.yaml'], 2, /are mutually exclusive/],
    ['a service without an address', ['-f', 'webhooks.json', '--timeout', '1ms'], 3, /pass --service shop\/guard=/],
    ['a file without configurations', ['-f', 'pod.yaml'], 3, /no webhook configuration found/],
  ])('refuses %s', async (_, argv, code, message) => {
    const { folder, remove } = temporaryFolder({
      'webhooks.json': configuration((await pair()).ca),
      'pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n',
    });
    const { exitCode, stderr } = await runCommand(Wait, argv, { cwd: folder });
    remove();
    expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: expect.stringMatching(message) });
  });
});
