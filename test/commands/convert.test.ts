import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Convert from '../../commands/convert.js';
import { issueServingPair } from '../../src/certificates/issue.js';
// Loaded here, so that loading does not count for the timeout of the first test.
import '../../src/cli/commands/convert/run-convert.js';
import { ensureMap, mapAt, stringAt } from '../../src/go/value.js';
import type { ObjectConverter } from '../../src/webhook-server/answer-conversion.js';
import { handlers } from '../../src/webhook-server/handlers/handlers.js';
import { offers } from '../../src/webhook-server/handlers/offers.js';
import { type RunningServer, startServer } from '../../src/webhook-server/server.js';
import { type CommandResult, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const caFile = path.join(folder.folder, 'ca.crt');
const state = ['--state', 'fixtures/conversion/offers.yaml'];
const offer = ['-f', 'fixtures/conversion/offer.yaml'];

let convert: ObjectConverter = offers;
let server: RunningServer;
let url: string;

beforeAll(async () => {
  const { ca, cert, key } = await issueServingPair({ dns: ['converter.shop.svc'], ips: ['127.0.0.1'] }, new Date());
  writeFileSync(caFile, ca);
  server = await startServer({
    handler: handlers.allow,
    convert: (object, to) => convert(object, to),
    cert,
    key,
    host: '127.0.0.1',
    port: 0,
  });
  url = `${server.origin}/convert`;
});
afterAll(async () => {
  await server.close();
  folder.remove();
});

async function run(argv: readonly string[], converter: ObjectConverter = offers): Promise<CommandResult> {
  convert = converter;
  const place = argv.includes('--demo') || argv.includes('--service') ? [] : ['--url', url];
  return runCommand(Convert, [...state, ...place, '--ca-file', caFile, ...argv]);
}

describe('convert', () => {
  it('prints what a conversion changed', async () => {
    expect(await run([...offer, '--to', 'v1beta1'])).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: `Offer shop/bread: v1 -> v1beta1 converted
  - apiVersion: demo.webhook-cli.dev/v1
  + apiVersion: demo.webhook-cli.dev/v1beta1
    kind: Offer
    metadata:
      creationTimestamp: '2026-01-02T03:04:05Z'
    ...
    spec:
      discount: 10
      item: bread
  -   price:
  -     amount: 350
  -     currency: EUR
  +   price: 3.50 EUR
`,
    });
  });

  it('prints only the objects', async () => {
    expect((await run([...offer, '--to', 'all', '-o', 'yaml'])).stdout).toBe(`apiVersion: demo.webhook-cli.dev/v1beta1
kind: Offer
metadata:
  creationTimestamp: '2026-01-02T03:04:05Z'
  name: bread
  namespace: shop
  uid: 00000000-0000-4000-8000-000000000002
spec:
  discount: 10
  item: bread
  price: 3.50 EUR
---
apiVersion: demo.webhook-cli.dev/v1alpha1
kind: Offer
metadata:
  annotations:
    demo.webhook-cli.dev/kept: '{"currency":"EUR","discount":10}'
  creationTimestamp: '2026-01-02T03:04:05Z'
  name: bread
  namespace: shop
  uid: 00000000-0000-4000-8000-000000000002
spec:
  cents: 350
  item: bread
`);
  });

  it("calls the definition's service at the mapped address", async () => {
    const { exitCode, stdout } = await run([...offer, '--to', 'v1beta1', '--service', `shop/converter=${server.origin}`]);
    expect([exitCode, stdout.split('\n')[0]]).toEqual([0, 'Offer shop/bread: v1 -> v1beta1 converted']);
  });

  it('supports the embedded webhook', async () => {
    const { exitCode, stdout } = await runCommand(Convert, [...state, ...offer, '--demo', '--round-trip']);
    expect([exitCode, stdout]).toEqual([0, 'nothing is lost\n']);
  });

  it('finds the definition among the manifests, too, and converts to every version that is named', async () => {
    const { stdout } = await runCommand(Convert, [
      ...['--demo', '-f', 'fixtures/conversion/offers.yaml', ...offer],
      ...['--to', 'v1alpha1', '--to', 'demo.webhook-cli.dev/v1beta1', '--to', 'all'],
    ]);
    expect(stdout.split('\n').filter(line => line.startsWith('Offer'))).toEqual([
      'Offer shop/bread: v1 -> v1alpha1 converted',
      'Offer shop/bread: v1 -> v1beta1 converted',
    ]);
  });

  it('sends a list as one review, without objects already in the version', async () => {
    const sent: string[] = [];
    const { stdout } = await run(['-f', 'fixtures/conversion/offer-list.yaml', '--to', 'v1beta1'], (object, to) => {
      sent.push(stringAt(object, 'metadata', 'name'));
      return offers(object, to);
    });
    expect(sent).toEqual(['bread', 'cake']);
    expect(stdout.split('\n').filter(line => line.startsWith('Offer'))).toEqual([
      'Offer shop/bread: v1 -> v1beta1 converted',
      'Offer shop/rolls: v1beta1 -> v1beta1 converted without the webhook',
      'Offer shop/cake: v1alpha1 -> v1beta1 converted',
    ]);
  });

  it('reports for scripts', async () => {
    const { stdout } = await run([...offer, '--to', 'v1beta1', '--round-trip', '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'ConversionReport',
      conversions: [
        { object: 'Offer shop/bread', from: 'v1', to: 'v1beta1', outcome: 'converted', converted: { spec: { price: '3.50 EUR' } } },
      ],
      findings: [],
      notes: [],
    });
  });
});

describe("convert fails with the API server's message", () => {
  it('when the webhook refuses', async () => {
    const file = path.join(folder.folder, 'odd.yaml');
    writeFileSync(file, 'apiVersion: demo.webhook-cli.dev/v1beta1\nkind: Offer\nmetadata: {name: odd}\nspec: {price: cheap}\n');
    expect(await run(['-f', file, '--to', 'v1'])).toEqual({
      exitCode: 1,
      stderr: '',
      stdout: `Offer default/odd: v1beta1 -> v1 failed
    conversion webhook for demo.webhook-cli.dev/v1beta1, Kind=Offer failed: invalid spec.price "cheap": expected a price such as "12.50 EUR"
    webhook: the conversion webhook refused to convert; this is its message
    try: make it convert every stored object; an object that cannot be converted can be neither read nor deleted
`,
    });
  });

  it.each([
    [
      'another name',
      (object, to) => {
        const changed = offers(object, to);
        mapAt(changed, 'metadata')?.set('name', 'other');
        return changed;
      },
      5,
      'conversion webhook for demo.webhook-cli.dev/v1, Kind=Offer returned invalid object: must have the same name: bread != other',
      'conversion-identity',
    ],
    [
      'the version it was',
      object => object,
      5,
      'conversion webhook for demo.webhook-cli.dev/v1, Kind=Offer returned invalid object at index 0: invalid groupVersion (expected demo.webhook-cli.dev/v1beta1, received demo.webhook-cli.dev/v1)',
      'conversion-other-version',
    ],
    [
      'an error of its own',
      () => {
        throw new Error('boom');
      },
      4,
      'conversion webhook for demo.webhook-cli.dev/v1, Kind=Offer failed: an error on the server ("Error: boom") has prevented the request from succeeding',
      'http-5xx',
    ],
  ] satisfies readonly (readonly [string, ObjectConverter, number, string, string])[])(
    'when it answers %s',
    async (_, converter, code, message, cause) => {
      const { exitCode, stdout } = await run([...offer, '--to', 'v1beta1', '-o', 'json'], converter);
      expect(exitCode).toBe(code);
      expect(JSON.parse(stdout)).toMatchObject({ conversions: [{ outcome: 'failed', message, failure: { cause } }] });
    },
  );

  it('when nothing listens, and says it once', async () => {
    const { exitCode, stdout } = await runCommand(Convert, [
      ...[...state, ...offer, '--to', 'v1beta1', '--round-trip', '-o', 'json'],
      ...['--service', 'shop/converter=https://127.0.0.1:1'],
    ]);
    const { conversions, findings } = JSON.parse(stdout);
    expect([exitCode, findings.length, conversions[0].failure.class]).toEqual([4, 1, 'tcp']);
  });
});

describe('--round-trip', () => {
  it('finds a field that one version loses, and names it', async () => {
    const lossy: ObjectConverter = (object, to) => {
      const converted = offers(object, to);
      if (to.endsWith('/v1beta1')) mapAt(converted, 'spec')?.delete('discount');
      return converted;
    };
    const { exitCode, stdout } = await run([...offer, '--round-trip'], lossy);
    expect(exitCode).toBe(1);
    expect(stdout).toBe(`round-trip: Offer shop/bread v1 -> v1beta1 -> v1: spec.discount is lost
      namespace: shop
      uid: 00000000-0000-4000-8000-000000000002
    spec:
  -   discount: 10
      item: bread
      price:
        amount: 350
round-trip: Offer shop/bread v1alpha1 -> v1beta1 -> v1alpha1: metadata.annotations["demo.webhook-cli.dev/kept"] is changed
    kind: Offer
    metadata:
      annotations:
  -     demo.webhook-cli.dev/kept: '{"currency":"EUR","discount":10}'
  +     demo.webhook-cli.dev/kept: '{"currency":"EUR"}'
      creationTimestamp: '2026-01-02T03:04:05Z'
      name: bread
      namespace: shop
2 findings
`);
  });

  it('reports parts of an answer that the API server drops', async () => {
    const generous: ObjectConverter = (object, to) => {
      const converted = offers(object, to);
      if (to.endsWith('/v1')) return converted;
      ensureMap(converted, 'spec').set('bogus', true);
      ensureMap(converted, 'metadata').set('finalizers', ['example.com/a']);
      return converted;
    };
    const { stdout } = await run([...offer, '--round-trip', '-o', 'json'], generous);
    const checks = JSON.parse(stdout).findings.map(({ check, message }: Record<string, unknown>) => [check, message]);
    expect(checks).toContainEqual(['undeclared', 'the schema does not declare spec.bogus: dropped, and server-side apply fails on it']);
    expect(checks).toContainEqual(['metadata', 'only labels and annotations may change: changes to metadata.finalizers are dropped']);
  });
});

describe('convert refuses', () => {
  it.each([
    [['--to', 'v3', ...offer], 2, 'offers.demo.webhook-cli.dev has no version "v3", only demo.webhook-cli.dev/v1,'],
    [offer, 2, 'no target version specified; pass --to VERSION, or --to all, or --round-trip'],
    [['--to', 'all'], 2, 'no objects to convert specified'],
    [['--to', 'all', '--demo', '--url', 'https://127.0.0.1:1', ...offer], 2, '--url and --demo are mutually exclusive'],
    [['--to', 'all', '-f', 'fixtures/manifests/pod-sidecar.yaml'], 3, 'the state has no definition of Pod in v1'],
  ])('%j', async (argv, exitCode, message) => {
    expect(await run(argv)).toEqual({ exitCode, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('a definition that the API server refuses', async () => {
    const file = path.join(folder.folder, 'definition.yaml');
    writeFileSync(
      file,
      `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lamps.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Lamp, plural: lamps}
  conversion: {strategy: Webhook}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
---
apiVersion: example.com/v1
kind: Lamp
metadata: {name: a}
`,
    );
    expect(await runCommand(Convert, ['-f', file, '--to', 'v1'])).toEqual({
      exitCode: 3,
      stdout: '',
      stderr: expect.stringContaining('spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook'),
    });
  });
});
