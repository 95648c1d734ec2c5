import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import Review from '../../commands/review.js';
// Loaded here, so that loading does not count for the timeout of the first test.
import '../../src/cli/commands/review/review.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const { folder, remove } = temporaryFolder();
afterAll(remove);
const pod = ['-f', 'fixtures/manifests/pod-sidecar.yaml'];

/** Faults that are detected before any call. */
describe('an address that the API server rejects is a usage error', () => {
  it.each([
    ['port beyond 65535', 'https://127.0.0.1:99999/', 'expected an address such as'],
    ['URL without a host', 'https:///x', 'the API server rejects it: host must be specified'],
    ['malformed URL', 'https://[::1/', 'expected an address such as'],
    ['malformed URL', 'https://a b/', 'expected an address such as'],
    ['URL scheme http', 'http://localhost/', 'the API server calls webhooks only over https'],
    [
      'URL with user information, a query or a fragment',
      'https://jane@localhost/',
      'the API server rejects it: user information is not permitted in the URL',
    ],
    [
      'URL with user information, a query or a fragment',
      'https://localhost/?a=b',
      'the API server rejects it: query parameters are not permitted in the URL',
    ],
    [
      'URL with user information, a query or a fragment',
      'https://localhost/#a',
      'the API server rejects it: fragments are not permitted in the URL',
    ],
  ])('%s: %s', async (_, url, message) => {
    expect(await runCommand(Review, ['--url', url, ...pod])).toEqual({ exitCode: 2, stdout: '', stderr: expect.stringContaining(message) });
  });
});

describe('a configuration that the API server rejects is an error', () => {
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
      'URL scheme http',
      { clientConfig: { url: 'http://localhost/' } },
      'webhooks[0].clientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme',
    ],
    [
      'URL with user information, a query or a fragment',
      { clientConfig: { url: 'https://localhost/?a' } },
      'query parameters are not permitted in the URL',
    ],
    ['bundle that is not base64', { clientConfig: { url: 'https://localhost/', caBundle: '%%%' } }, 'illegal base64 data at input byte 0'],
    ['unknown admissionReviewVersions', { admissionReviewVersions: ['v2'] }, 'must include at least one of v1, v1beta1'],
    ['timeoutSeconds out of range or of another type', { timeoutSeconds: 0 }, 'the timeout value must be between 1 and 30 seconds'],
    ['timeoutSeconds out of range or of another type', { timeoutSeconds: 31 }, 'the timeout value must be between 1 and 30 seconds'],
    ['timeoutSeconds out of range or of another type', { timeoutSeconds: 2.5 }, 'json: cannot unmarshal number 2.5 into Go struct field'],
    ['timeoutSeconds out of range or of another type', { timeoutSeconds: '5' }, 'json: cannot unmarshal string into Go struct field'],
  ])('%s: %j', async (_, parts, message) => {
    const { exitCode, text } = await reviewed(parts);
    expect([exitCode, text]).toEqual([3, expect.stringContaining(message)]);
    expect(text).toContain('error: the API server refuses ValidatingWebhookConfiguration v: ');
  });

  it('unless a cluster has accepted it before', async () => {
    const { exitCode, text } = await reviewed({ timeoutSeconds: 31 }, { name: 'v', generation: 1 });
    expect([exitCode, text]).toEqual([4, expect.stringContaining('connect: connection refused')]);
  });
});
