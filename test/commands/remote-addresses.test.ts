import dns from 'node:dns/promises';
import { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import Convert from '../../commands/convert.js';
import Fuzz from '../../commands/fuzz.js';
import Review from '../../commands/review.js';
import Test from '../../commands/test.js';
import Wait from '../../commands/wait.js';
import { startDemo } from '../../src/cli/work/webhooks/demo.js';
import { type CommandClass, type CommandResult, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { developed } from './support/developed.js';

const lookups: string[] = [];

const { lookup } = dns;

/** No name of these tests may be looked up, and so nothing can be sent. */
beforeAll(() => {
  const refused = async (host: string): Promise<never> => {
    lookups.push(host);
    throw Object.assign(new Error(`lookup of ${host}`), { code: 'ENOTFOUND' });
  };
  Object.assign(dns, { lookup: refused });
  syncBuiltinESMExports();
});
afterAll(() => {
  Object.assign(dns, { lookup });
  syncBuiltinESMExports();
});

const configuration = (clientConfig: string, failurePolicy = 'Fail'): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard}
webhooks:
- name: guard.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: ${failurePolicy}
  clientConfig: ${clientConfig}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`;

const publicUrl = '{url: "https://hooks.example.com/validate"}';
const notSent =
  'the call was not sent, because hooks.example.com:443 is not on this machine: it is the address of webhook guard.example.com in configuration guard';
const ways = [
  'send its calls elsewhere with --urls https://hooks.example.com/validate=https://127.0.0.1:8443 (urls: in a suite)',
  'pass --allow-remote to call it there (allow-remote: true in a suite)',
];
const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: "nginx:1.27"}]}\n';
const suite = 'apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\nstate: webhooks.yaml\nsnapshot: false\n';
const cases = 'cases: [{name: pod, filename: pod.yaml, expect: {allowed: true}}]\n';

let folder: string;
let remove: () => void;

beforeEach(() => {
  lookups.length = 0;
  ({ folder, remove } = temporaryFolder({
    'webhooks.yaml': configuration(publicUrl),
    'pod.yaml': pod,
    'case.webhook-test.yaml': suite + cases,
  }));
});
afterEach(() => remove());

function run(command: CommandClass, ...argv: readonly string[]): Promise<CommandResult> {
  return runCommand(command, argv, { cwd: folder, env: { XDG_CACHE_HOME: path.join(folder, '.cache') } });
}

describe('an address on another machine that only a configuration names', () => {
  it.each(['Fail', 'Ignore'])('is not called by review, and its name is not looked up, with failurePolicy %s', async failurePolicy => {
    writeFileSync(path.join(folder, 'webhooks.yaml'), configuration(publicUrl, failurePolicy));
    const { exitCode, stderr } = await run(Review, '--state', 'webhooks.yaml', '-f', 'pod.yaml');
    expect({ exitCode, stderr, lookups }).toEqual({
      exitCode: 3,
      stderr: `error: ${notSent}; ${ways.join(', or ')}\n`,
      lookups: [],
    });
  });

  it('is not called by a suite', async () => {
    const { exitCode, stdout } = await run(Test, 'case.webhook-test.yaml');
    expect({ exitCode, lookups }).toEqual({ exitCode: 3, lookups: [] });
    expect(stdout).toContain(`${notSent}; ${ways.join(', or ')}`);
  });

  it('is not called by dev', async () => {
    const { stdout } = await developed(folder, ['--state', 'webhooks.yaml', '-f', 'pod.yaml'], []);
    expect(lookups).toEqual([]);
    expect(stdout).toContain(notSent);
  });

  it('is not called by fuzz, which ends with its first call', async () => {
    const { exitCode, stderr } = await run(Fuzz, '--state', 'webhooks.yaml', '--kind', 'pods', '--seed', '1');
    expect({ exitCode, lookups }).toEqual({ exitCode: 3, lookups: [] });
    expect(stderr).toContain(`error: ${notSent}; ${ways.join(', or ')}\n`);
  });

  it('is not called by wait', async () => {
    const { exitCode, stderr } = await run(Wait, '-f', 'webhooks.yaml', '--timeout', '1s');
    expect({ exitCode, lookups }).toEqual({ exitCode: 3, lookups: [] });
    expect(stderr).toContain(notSent);
  });

  it.each([
    ['the address of a Service in the state', '10.0.0.7'],
    ['a public address', '192.0.2.1'],
  ])('is not called at %s', async (_, clusterIP) => {
    const service = `---\napiVersion: v1\nkind: Service\nmetadata: {name: guard, namespace: default}\nspec: {clusterIP: ${clusterIP}, ports: [{port: 443}]}\n`;
    writeFileSync(path.join(folder, 'webhooks.yaml'), configuration('{service: {namespace: default, name: guard}}') + service);
    const { exitCode, stderr } = await run(Review, '--state', 'webhooks.yaml', '-f', 'pod.yaml');
    expect(exitCode).toBe(3);
    expect(stderr).toContain(`the call was not sent, because ${clusterIP}:443 is not on this machine`);
    expect(stderr).toContain('pass --service default/guard=https://127.0.0.1:8443 (services: in a suite)');
  });

  it('is not called by a conversion', async () => {
    writeFileSync(path.join(folder, 'offers.yaml'), definition);
    writeFileSync(path.join(folder, 'offer.yaml'), 'apiVersion: example.com/v1\nkind: Offer\nmetadata: {name: a, namespace: default}\n');
    const { exitCode, stderr } = await run(Convert, '--state', 'offers.yaml', '-f', 'offer.yaml', '--to', 'v2');
    expect({ exitCode, lookups }).toEqual({ exitCode: 3, lookups: [] });
    expect(stderr).toContain('hooks.example.com:443 is not on this machine');
  });

  it.each([['--allow-remote'], ['--resolve', 'hooks.example.com:443:127.0.0.1'], ['--url', 'https://hooks.example.com/']])(
    'is called with %s',
    async (...flags) => {
      const { exitCode } = await run(Review, '--state', 'webhooks.yaml', '-f', 'pod.yaml', ...flags);
      expect([exitCode, lookups]).toEqual([4, flags[0] === '--resolve' ? [] : ['hooks.example.com']]);
    },
  );
});

describe('urls', () => {
  it('sends the calls of an URL elsewhere, with the name, the rules and the path of the configuration', async () => {
    const demo = await startDemo({ now: () => new Date() });
    try {
      writeFileSync(path.join(folder, 'ca.crt'), demo.registrations[0]?.caBundle ?? '');
      const [to = ''] = demo.registrations.map(({ url }) => new URL(url).origin);
      const connection = 'ca-file: ca.crt\nserver-name: 127.0.0.1\n';
      writeFileSync(
        path.join(folder, 'case.webhook-test.yaml'),
        `${suite}${connection}urls: {"https://hooks.example.com/validate": "${to}"}\n${cases}`,
      );
      const { exitCode, stdout } = await run(Test, 'case.webhook-test.yaml');
      expect([exitCode, stdout.split('\n').at(-2), lookups]).toEqual([0, expect.stringMatching(/^1 passed, 0 failed/), []]);
      const flags = ['--ca-file', 'ca.crt', '--server-name', '127.0.0.1', '--urls', `https://hooks.example.com=${to}/validate`];
      const reviewed = await run(Review, '--state', 'webhooks.yaml', '-f', 'pod.yaml', '-o', 'json', '--include', 'exchange', ...flags);
      const [{ webhook, outcome, exchange }] = JSON.parse(reviewed.stdout).webhooks;
      expect([webhook, outcome, exchange.request?.url ?? exchange.url, lookups]).toEqual([
        'guard.example.com',
        'allowed',
        'https://hooks.example.com/validate?timeout=10s',
        [],
      ]);
    } finally {
      await demo.close();
    }
  });

  it('rejects what is not a pair of URLs', async () => {
    const { exitCode, stderr } = await run(
      Review,
      '--state',
      'webhooks.yaml',
      '-f',
      'pod.yaml',
      '--urls',
      'hooks.example.com=https://127.0.0.1',
    );
    expect([exitCode, stderr]).toEqual([
      2,
      'error: invalid --urls "hooks.example.com=https://127.0.0.1": expected URL=URL, such as https://hooks.example.com/validate=https://127.0.0.1:8443\n',
    ]);
  });
});

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: offers.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: offers, singular: offer, kind: Offer, listKind: OfferList}
  conversion:
    strategy: Webhook
    webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://hooks.example.com/convert"}}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
`;
