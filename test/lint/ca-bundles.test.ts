import { describe, expect, it } from 'vitest';
import CertsVerify from '../../commands/certs/verify.js';
import Lint from '../../commands/lint.js';
// Loaded here, so that loading does not count for the timeout of the first test.
import '../../src/cli/commands/lint/run-lint.js';
import { runCommand } from '../support/run-command.js';

/** A CA that expired in 2021, one that is valid until 2120, and a certificate that it signed. */
const pem = {
  expired:
    'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJRVENCNmFBREFnRUNBZ0VETUFvR0NDcUdTTTQ5QkFNQ01CRXhEekFOQmdOVkJBTU1CazlzWkNCRFFUQWUKRncweU1EQXhNREV3TURBd01EQmFGdzB5TVRBeE1ERXdNREF3TURCYU1CRXhEekFOQmdOVkJBTU1CazlzWkNCRApRVEJaTUJNR0J5cUdTTTQ5QWdFR0NDcUdTTTQ5QXdFSEEwSUFCT3JFdVVvSUlya0pSNXM3LyszSU4ySDVaOW9pCkRRcFozQVQ4UklDZTNQN2dHWUdYRS9zajlDN2xWcXhTWFJ3MmlMSFZNa2dxbGEzQzdXR0tCamdjSWJpak1qQXcKTUE4R0ExVWRFd0VCL3dRRk1BTUJBZjh3SFFZRFZSME9CQllFRkFzNmZjckZFZnphL0cxNUNEbjNjNjlwQXpHWApNQW9HQ0NxR1NNNDlCQU1DQTBjQU1FUUNJRldNclhobmJYbDI1YXpyS2VubC93Wnl0Yyt6RitlMXRVc1FHQmdlCnIrTC9BaUFPcmJaaWR6c1VPRW5qOGRHTG5SbHpjYXp3Y0ZzRmJCeEtXMU1VczBoSjl3PT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=',
  authority:
    'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJTRENCNzZBREFnRUNBZ0VCTUFvR0NDcUdTTTQ5QkFNQ01CTXhFVEFQQmdOVkJBTU1DRWQxWVhKa0lFTkIKTUNBWERUSXdNREV3TVRBd01EQXdNRm9ZRHpJeE1qQXdNVEF4TURBd01EQXdXakFUTVJFd0R3WURWUVFEREFoSApkV0Z5WkNCRFFUQlpNQk1HQnlxR1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQUJKaGpKUFZNTS9LRCttUGJHKzRDCmFsb3phbGdaMERwWTNadXNURy90YzFMTExDRU1MTlgzZGpqdERsMm1qTGQ3c2hkY1ZJK0VDVEo4ZERnTnlOYm8KVHJHak1qQXdNQThHQTFVZEV3RUIvd1FGTUFNQkFmOHdIUVlEVlIwT0JCWUVGTFJIR0dwVklnZGM2NU4rcUs3aApoRVdpRDFvQ01Bb0dDQ3FHU000OUJBTUNBMGdBTUVVQ0lRRGlRV3ptZjlVK1dxaHNzV0IxMU9oc1hjUS9BMUdSCnhlSU1ldGFrWWd3d0hRSWdNS2VNWG1jOE1FaG9OeTJSOTFtaHBiRm1vRDlCV1NSLzA4QXhzVjFLS01BPQotLS0tLUVORCBDRVJUSUZJQ0FURS0tLS0tCg==',
  leaf: 'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJpVENDQVM2Z0F3SUJBZ0lCQWpBS0JnZ3Foa2pPUFFRREFqQVRNUkV3RHdZRFZRUUREQWhIZFdGeVpDQkQKUVRBZ0Z3MHlNREF4TURFd01EQXdNREJhR0E4eU1USXdNREV3TVRBd01EQXdNRm93R1RFWE1CVUdBMVVFQXd3TwphRzl2YXk1bmRXRnlaQzV6ZG1Nd1dUQVRCZ2NxaGtqT1BRSUJCZ2dxaGtqT1BRTUJCd05DQUFTU1J2NXZrcXBFClN3TGpaK3NZbzQ1N0ppOWlLbGtjSlRCU3pOQk9IelBUWERIN0RlUm9Cd0ltdWZOdG9ZelZhN093WStWanNwdmIKQUkvb0x1OTN2QzhZbzJzd2FUQU1CZ05WSFJNQkFmOEVBakFBTUJrR0ExVWRFUVFTTUJDQ0RtaHZiMnN1WjNWaApjbVF1YzNaak1CMEdBMVVkRGdRV0JCUWNsdlhmRkx1QWMrenkvcGY2TGUwVTg1Y1FBekFmQmdOVkhTTUVHREFXCmdCUzBSeGhxVlNJSFhPdVRmcWl1NFlSRm9nOWFBakFLQmdncWhrak9QUVFEQWdOSkFEQkdBaUVBclJpR2lSbGMKWVJrUnl0S1Z5U2IyUitPa0kra2RncDNQL0ZmVFJRZnZWemNDSVFDQllmYzBoeG1CTzVMZFE0UXBWTlZTNWgxcgpua2VUUWVFam1VQmNBTkwyWFE9PQotLS0tLUVORCBDRVJUSUZJQ0FURS0tLS0tCg==',
};

const base64 = (text: string) => Buffer.from(text).toString('base64');

const unusable = 'unable to load root certificates: unable to parse bytes as PEM block';

/** A caBundle, what is wrong with it, and the error of the API server. */
const faults: readonly (readonly [bundle: string, message: string, error: string])[] = [
  ['Cg==', 'caBundle contains only white space', unusable],
  [base64('not a cert'), 'caBundle is the text "not a cert", a placeholder', unusable],
  [base64('$' + '{CA_BUNDLE}'), 'caBundle is the text "$' + '{CA_BUNDLE}", a placeholder', unusable],
  [base64(pem.authority), 'caBundle is encoded in base64 twice: encode it once', unusable],
  [
    base64('-----BEGIN CERTIFICATE-----\nYQ==\n-----END CERTIFICATE-----\n'),
    'caBundle contains no certificate that can be used',
    'unable to load root certificates: failed to parse certificate: x509: malformed certificate',
  ],
  [
    pem.expired,
    'the certificate in caBundle, CN=Old CA, expired on 2021-01-01T00:00:00Z',
    'tls: failed to verify certificate: x509: certificate has expired or is not yet valid',
  ],
];

const webhook = (caBundle: string | undefined) => ({
  ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', metadata: { name: 'c' } },
  webhooks: [
    {
      ...{ name: 'w.example.com', admissionReviewVersions: ['v1'], sideEffects: 'None' },
      clientConfig: { service: { namespace: 'guard', name: 'hook' }, caBundle },
      rules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['tasks'] }],
    },
  ],
});

const definition = (caBundle: string | undefined) => {
  const schema = { openAPIV3Schema: { type: 'object' } };
  const versions = ['v1', 'v2'].map(name => ({ name, served: true, storage: name === 'v1', schema }));
  const clientConfig = { service: { namespace: 'guard', name: 'hook' }, caBundle };
  return {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'tasks.example.com' } },
    spec: {
      ...{
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'tasks', singular: 'task', kind: 'Task', listKind: 'TaskList' },
        versions,
      },
      conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } },
    },
  };
};

const apiService = (caBundle: string | undefined) => ({
  ...{ apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata: { name: 'v1.metrics.example.com' } },
  spec: {
    ...{ group: 'metrics.example.com', version: 'v1', groupPriorityMinimum: 100, versionPriority: 100, caBundle },
    service: { namespace: 'guard', name: 'hook' },
  },
});

async function linted(object: object): Promise<{ rule: string; message: string }[]> {
  const { stdout } = await runCommand(Lint, ['-f', '-', '-o', 'json'], { stdin: JSON.stringify(object) });
  const { findings }: { findings: { rule: string; message: string }[] } = JSON.parse(stdout);
  return findings.filter(({ rule }) => rule.includes('ca-bundle') || rule === 'api-refuses');
}

async function verified(object: object) {
  const { stdout, exitCode } = await runCommand(CertsVerify, ['-f', '-', '-o', 'json'], { stdin: JSON.stringify(object), cwd: '/' });
  return { exitCode, ...JSON.parse(stdout).webhooks[0] };
}

describe.each(faults)('the caBundle %s', (caBundle, message, error) => {
  it('is found by lint, with the error of every call', async () => {
    const [found, ...others] = await linted(webhook(caBundle));
    expect(others).toEqual([]);
    expect(found?.rule).toBe('unusable-ca-bundle');
    expect(found?.message).toContain(`${message}: every call fails with `);
    expect(found?.message).toContain(error);
    const [inDefinition] = await linted(definition(caBundle));
    expect(inDefinition).toMatchObject({ rule: 'unusable-ca-bundle', message: expect.stringContaining(`${message}: `) });
    const [inService] = await linted(apiService(caBundle));
    expect(inService).toMatchObject({ rule: 'unusable-ca-bundle', message: expect.stringContaining(`${message}: `) });
    expect(inService?.message).toContain(error);
  });

  it('is refused by certs verify without a serving certificate', async () => {
    expect(await verified(webhook(caBundle))).toMatchObject({
      exitCode: 1,
      outcome: 'refused',
      why: message,
      message: expect.stringContaining(error),
    });
    expect(await verified(definition(caBundle))).toMatchObject({ exitCode: 1, outcome: 'refused', why: message });
    expect(await verified(apiService(caBundle))).toMatchObject({ exitCode: 1, outcome: 'refused', why: message });
  });
});

describe('a caBundle', () => {
  it('of a CA passes, and an empty one', async () => {
    expect(await linted(webhook(pem.authority))).toEqual([]);
    expect(await linted(definition(pem.authority))).toEqual([]);
    expect(await linted(apiService(pem.authority))).toEqual([]);
    expect(await linted(apiService(undefined))).toEqual([]);
    expect(await linted(webhook(undefined))).toEqual([]);
    expect(await linted(webhook(''))).toEqual([]);
    expect(await verified(webhook(pem.authority))).toMatchObject({ exitCode: 0, outcome: 'accepted' });
    expect(await verified(webhook(undefined))).toMatchObject({ exitCode: 0, outcome: 'unfilled' });
  });

  it('of several webhooks is reported once for each of their configurations', async () => {
    const one = webhook('Cg==');
    const [first] = one.webhooks;
    const messages = (await linted({ ...one, webhooks: [first, { ...first, name: 'x.example.com' }] })).map(({ message }) => message);
    expect(messages).toEqual([
      expect.stringMatching(/caBundle contains only white space: .*; 1 more webhook of the configuration has it, too$/),
    ]);
  });

  it('with the serving certificate in place of its CA is a warning', async () => {
    const message = 'caBundle contains no CA, only the serving certificate CN=hook.guard.svc';
    expect(await linted(webhook(pem.leaf))).toMatchObject([{ rule: 'ca-bundle-of-leaf', message }]);
    expect(await verified(webhook(pem.leaf))).toMatchObject({ exitCode: 0, notes: [expect.stringContaining(message), expect.anything()] });
  });

  it('with a private key is found', async () => {
    const key = '-----BEGIN PRIVATE KEY-----\nYQ==\n-----END PRIVATE KEY-----\n';
    const both = base64(Buffer.from(pem.authority, 'base64').toString() + key);
    expect(await linted(webhook(both))).toMatchObject([
      { rule: 'unusable-ca-bundle', message: 'caBundle contains a private key, which everyone can read' },
    ]);
    expect(await verified(webhook(both))).toMatchObject({ exitCode: 1 });
  });

  it('in several certificates needs only one that is valid', async () => {
    const text = (bundle: string) => Buffer.from(bundle, 'base64').toString();
    expect(await linted(webhook(base64(text(pem.expired) + text(pem.authority))))).toEqual([]);
  });

  it('that is not base64 is refused by the API server alone', async () => {
    expect(await linted(webhook('not base64!'))).toMatchObject([{ rule: 'api-refuses' }]);
  });
});

it('says that a placeholder is replaced where an annotation asks for it, and what it breaks', async () => {
  const annotations = { 'cert-manager.io/inject-ca-from': 'shop/guard' };
  const object = { ...webhook('Cg=='), metadata: { name: 'c', annotations } };
  const { stdout } = await runCommand(Lint, ['-f', '-', '-o', 'json'], { stdin: JSON.stringify(object) });
  expect(stdout).toContain(
    'until the tool of the annotation cert-manager.io/inject-ca-from replaces it; a server-side apply of this file conflicts',
  );
});
