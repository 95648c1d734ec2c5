import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import Review from '../../commands/review.js';
// Loaded before the first test's clock runs.
import '../../src/cli/review.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const { folder, remove } = temporaryFolder();
afterAll(remove);
const pod = ['-f', 'fixtures/manifests/pod-sidecar.yaml'];

/** Rows of the matrix of faults that end before any call. */
describe('an address that no API server calls is wrong usage', () => {
  it.each([
    ['A15', 'https://127.0.0.1:99999/', 'must be an address such as'],
    ['A17', 'https:///x', 'the API server refuses it: host must be specified'],
    ['A18', 'https://[::1/', 'must be an address such as'],
    ['A18', 'https://a b/', 'must be an address such as'],
    ['A19', 'http://localhost/', 'the API server calls webhooks by https only'],
    ['A20', 'https://jane@localhost/', 'the API server refuses it: user information is not permitted in the URL'],
    ['A20', 'https://localhost/?a=b', 'the API server refuses it: query parameters are not permitted in the URL'],
    ['A20', 'https://localhost/#a', 'the API server refuses it: fragments are not permitted in the URL'],
  ])('%s: %s', async (_, url, words) => {
    expect(await runCommand(Review, ['--url', url, ...pod])).toEqual({ exitCode: 2, stdout: '', stderr: expect.stringContaining(words) });
  });
});

describe('a configuration that no API server takes cannot be used', () => {
  const webhook = {
    name: 'w.example.com',
    clientConfig: { url: 'https://127.0.0.1:1/w' },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
  };

  async function reviewed(parts: object, metadata: object = { name: 'v' }): Promise<{ exitCode: number; text: string }> {
    const file = path.join(folder, 'state.json');
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
    const kind = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' };
    const configuration = { ...kind, metadata, webhooks: [{ ...webhook, ...parts }] };
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [namespace, configuration] }));
    const { exitCode, stdout, stderr } = await runCommand(Review, ['--state', file, ...pod]);
    return { exitCode, text: stdout + stderr };
  }

  it.each([
    [
      'A19',
      { clientConfig: { url: 'http://localhost/' } },
      'webhooks[0].clientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme',
    ],
    ['A20', { clientConfig: { url: 'https://localhost/?a' } }, 'query parameters are not permitted in the URL'],
    ['B50', { clientConfig: { url: 'https://localhost/', caBundle: '%%%' } }, 'illegal base64 data at input byte 0'],
    ['E31', { admissionReviewVersions: ['v2'] }, 'must include at least one of v1, v1beta1'],
    ['T07', { timeoutSeconds: 0 }, 'the timeout value must be between 1 and 30 seconds'],
    ['T07', { timeoutSeconds: 31 }, 'the timeout value must be between 1 and 30 seconds'],
    ['T07', { timeoutSeconds: 2.5 }, 'json: cannot unmarshal number 2.5 into Go struct field'],
    ['T07', { timeoutSeconds: '5' }, 'json: cannot unmarshal string into Go struct field'],
  ])('%s: %j', async (_, parts, words) => {
    const { exitCode, text } = await reviewed(parts);
    expect([exitCode, text]).toEqual([3, expect.stringContaining(words)]);
    expect(text).toContain('error: the API server refuses ValidatingWebhookConfiguration v: ');
  });

  it('unless a cluster has taken it once', async () => {
    const { exitCode, text } = await reviewed({ timeoutSeconds: 31 }, { name: 'v', generation: 1 });
    expect([exitCode, text]).toEqual([4, expect.stringContaining('connect: connection refused')]);
  });
});
