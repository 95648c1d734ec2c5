import { describe, expect, it } from 'vitest';
import Review from '../../commands/review.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import { withDirectDemo } from '../../src/cli/work/webhooks/direct-demo.js';
import type { WebhookAnswer, WebhookCall } from '../../src/kubernetes/webhook-call.js';
import { createTransport } from '../../src/transport/call-webhook.js';
import { demo } from '../../src/webhook-server/handlers/demo.js';
import { startServer } from '../../src/webhook-server/server.js';
import { runCommand } from '../support/run-command.js';

const at = ['--seed', '1', '--now', '2026-11-21T00:00:00Z'];

/** A report without times and what was sent. */
function comparable(stdout: string): unknown {
  return JSON.parse(stdout, (name, value) => (name === 'exchange' || name === 'durationMs' ? undefined : value));
}

function callTo(url: string, body: string, caBundle?: Uint8Array): WebhookCall {
  const { hostname, port } = new URL(url);
  return {
    ...{ phase: 'mutating', configuration: 'webhook-cli', webhook: 'demo.webhook-cli.dev', url, serverName: hostname, caBundle },
    ...{ address: { host: hostname, port: Number(port) }, timeoutSeconds: 10, deadlineMs: 10_000, apiVersion: 'admission.k8s.io/v1' },
    ...{ uid: 'a', body },
  };
}

/** An answer without its times. */
function withoutTimes(answer: WebhookAnswer): unknown {
  if (answer.outcome !== 'answered') return answer;
  const headers = answer.headers.map(([name, value]) => (name === 'date' ? [name, typeof value] : [name, value]));
  return { ...answer, headers, durationMs: 0, body: Buffer.from(answer.body).toString() };
}

const noTransport = () => Promise.reject(new Error('the demo webhook needs no transport'));

describe('the demo webhook without a connection', () => {
  it.each([
    ['a pod that is changed', 'fixtures/manifests/pod-sidecar.yaml'],
    ['a pod that is refused', 'fixtures/manifests/pod-privileged.yaml'],
  ])('gives %s the same report as over one', async (_, manifest) => {
    const argv = ['--demo', '-f', manifest, '-o', 'json', ...at];
    const direct = await runCommand(Review, argv);
    const connected = await runCommand(Review, [...argv, '--include', 'exchange']);
    expect(connected.stdout).toMatch(/"url": "https:\/\/127\.0\.0\.1:\d+\/validate\?timeout=10s"/);
    expect(direct.stdout).not.toContain('127.0.0.1');
    expect([direct.exitCode, direct.stderr]).toEqual([connected.exitCode, connected.stderr]);
    expect(comparable(direct.stdout)).toEqual(comparable(connected.stdout));
  });

  it.each([
    [
      'a name that the certificate does not have',
      ['--server-name', 'other.example.com'],
      /certificate is valid for .*, not other\.example\.com/,
    ],
    ['a time that is too short for any call', ['--request-timeout', '1ms'], /deadline exceeded|Timeout/i],
  ])('is not used with %s', async (_, flags, message) => {
    const { stdout, exitCode } = await runCommand(Review, ['--demo', '-f', 'fixtures/manifests/pod-sidecar.yaml', ...flags]);
    expect(exitCode).not.toBe(0);
    expect(stdout).toMatch(message);
  });

  it.each([
    ['a review', '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"a"}}'],
    ['another document', '{"kind":"Other"}'],
    ['a body over the limit', ' '.repeat(8 * 1024 * 1024 + 1)],
  ])('answers %s like its server', async (_, body) => {
    const { ca, cert, key } = await issueServingPair({ dns: [], ips: [] }, new Date());
    const server = await startServer({ handler: demo, cert, key, host: '127.0.0.1', port: 0, http2: false });
    const served = createTransport();
    const direct = withDirectDemo(noTransport);
    try {
      const overConnection = await served.callWebhook(callTo(`${server.origin}/mutate?timeout=10s`, body, Buffer.from(ca)));
      const inProcess = await direct.callWebhook(callTo('https://127.0.0.1/mutate?timeout=10s', body));
      expect(withoutTimes(inProcess)).toEqual(withoutTimes(overConnection));
    } finally {
      await Promise.all([served.close(), direct.close(), server.close()]);
    }
  });

  it('leaves calls of other webhooks to a transport, which it opens once and closes', async () => {
    const seen: string[] = [];
    const answered = { outcome: 'noClient', message: 'no client' } as const;
    const direct = withDirectDemo(async () => {
      seen.push('open');
      return {
        callWebhook: async ({ webhook }) => {
          seen.push(webhook);
          return answered;
        },
        close: async () => void seen.push('close'),
      };
    });
    const elsewhere = { ...callTo('https://127.0.0.1:8443/mutate', ''), webhook: 'other.example.com' };
    const conversion = { ...callTo('https://127.0.0.1/convert', ''), phase: 'conversion', webhook: 'offers.example.com' } as const;
    expect([await direct.callWebhook(elsewhere), await direct.callWebhook(conversion)]).toEqual([answered, answered]);
    await direct.close();
    expect(seen).toEqual(['open', 'other.example.com', 'offers.example.com', 'close']);
  });
});
