import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import Merge from '../../commands/report/merge.js';
import Review from '../../commands/snapshot/review.js';
import Test from '../../commands/test.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import { mapAt } from '../../src/go/value.js';
import { ConversionRefused, type ObjectConverter } from '../../src/webhook-server/answer-conversion.js';
import { handlers } from '../../src/webhook-server/handlers/handlers.js';
import { offers } from '../../src/webhook-server/handlers/offers.js';
import { type RunningServer, startServer } from '../../src/webhook-server/server.js';
import { type CommandResult, root, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let server: RunningServer;
let ca: string;
let convert: ObjectConverter = offers;

beforeAll(async () => {
  const certs = await issueServingPair({ dns: ['converter.shop.svc'], ips: ['127.0.0.1'] }, new Date());
  ca = certs.ca;
  const { cert, key } = certs;
  server = await startServer({
    handler: handlers.allow,
    convert: (object, to) => convert(object, to),
    ...{ cert, key, host: '127.0.0.1', port: 0 },
  });
});
afterAll(() => server.close());

let folder: string;
let remove: () => void;

beforeEach(() => {
  convert = offers;
  ({ folder, remove } = temporaryFolder({ 'ca.crt': ca }));
  cpSync(path.join(root, 'fixtures/conversion'), path.join(folder, 'conversion'), { recursive: true });
  cpSync(path.join(root, 'fixtures/suites/conversion'), path.join(folder, 'suites/conversion'), { recursive: true });
});
afterEach(() => remove());

const example = 'suites/conversion';

function test(argv: readonly string[]): Promise<CommandResult> {
  const webhook = ['--service', `shop/converter=${server.origin}`, '--ca-file', 'ca.crt'];
  return runCommand(Test, [...webhook, ...argv], { cwd: folder, env: { XDG_CACHE_HOME: '' } });
}

/** Result of a case that converts the example's offer, with additional fields. */
async function testCase(
  says: string,
  { suite = '', argv = [] }: { suite?: string; argv?: readonly string[] } = {},
): Promise<CommandResult> {
  const head = `apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\nstate: [conversion/offers.yaml]\n${suite}`;
  writeFileSync(path.join(folder, 's.webhook-test.yaml'), `${head}cases:\n- {name: it, filename: conversion/offer.yaml, ${says}}\n`);
  return test(['s.webhook-test.yaml', ...argv]);
}

/** The lines below the case, without positions. */
function failuresIn({ stdout, stderr }: CommandResult): string[] {
  expect([stderr, stdout]).toEqual(['', expect.stringMatching(/^[01] passed, [01] failed/m)]);
  const lines = stdout.split('\n').filter(line => /^ {4}/.test(line) && !/note:|webhook-test\.yaml:/.test(line));
  return lines.map(line => line.slice(4));
}

/** A converter that drops the discount. */
const forgetful: ObjectConverter = (object, to) => {
  const converted = offers(object, to);
  mapAt(converted, 'spec')?.delete('discount');
  mapAt(converted, 'metadata')?.delete('annotations');
  return converted;
};

const withoutTimes = (text: string): string => text.replace(/ {2}(\d[\d.]* m?s|\(\d[\d.]* m?s\))/g, '');

describe('a suite of conversions', { timeout: 60_000 }, () => {
  it('passes as committed; a lost field is one mismatch, by name, that can be accepted', async () => {
    expect(await test([example, '--check'])).toMatchObject({ exitCode: 0, stderr: '' });

    convert = forgetful;
    const lists = ['--run', 'list|bread'];
    const changed = await test([example, ...lists]);
    expect(changed.exitCode).toBe(1);
    expect(withoutTimes(changed.stdout)).toContain(`  ✗ bread
    round-trip: Offer shop/bread v1 -> v1beta1 -> v1: spec.discount is lost
    suites/conversion/offers.webhook-test.yaml:9:3
    @@ -`);
    expect(changed.stdout).toContain('    -  discount: 10\n       item: bread\n');
    expect(changed.stdout).toContain(`
    snapshot: conversions[0].to.v1alpha1.metadata.annotations differs from the snapshot: nothing instead of {"demo.webhook-cli.dev/kept":"{\\"currency\\":\\"EUR\\",\\"discount\\":10}"}
    suites/conversion/__snapshots__/offers.bread.yaml:11
`);
    expect(changed.stdout).toContain('snapshots: 1 matched, 1 mismatched; decide on them with webhook-cli snapshot review\n');

    const review = await runCommand(Review, [], { cwd: folder, keys: 'a', isTerminal: true });
    expect(review.stdout).toMatch(/1 accepted, 0 rejected, 0 left\n$/);
    // The field is still lost.
    const accepted = await test([example, '--check', ...lists]);
    expect([accepted.exitCode, accepted.stdout]).toEqual([1, expect.stringContaining('snapshots: 2 matched\n')]);
  });

  it('names the field that is lost in the first conversion', async () => {
    await testCase('to: v1beta1', { argv: ['--update'] });
    convert = forgetful;
    const changed = await testCase('to: v1beta1');
    expect(failuresIn(changed)[0]).toBe(
      'snapshot: conversions[0].to.v1beta1.spec.discount differs from the snapshot: nothing instead of 10',
    );
    expect((await testCase('to: v1beta1', { argv: ['--update'] })).exitCode).toBe(0);
    expect((await testCase('to: v1beta1', { argv: ['--check'] })).exitCode).toBe(0);
  });

  it('reads the definition from the objects’ folder, and has a case per version of a matrix', async () => {
    writeFileSync(
      path.join(folder, 's.webhook-test.yaml'),
      'apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\nas: jane\ncases:\n- name: it\n  filename: [conversion/offers.yaml, conversion/offer.yaml]\n  matrix: {to: [v1beta1, v1alpha1]}\n',
    );
    const { exitCode, stdout } = await test(['s.webhook-test.yaml', '--update']);
    expect([exitCode, withoutTimes(stdout)]).toEqual([
      0,
      expect.stringContaining('  ✓ it [to=v1beta1], snapshot written\n  ✓ it [to=v1alpha1], snapshot written\n'),
    ]);
  });

  it('redacts configured fields and secrets in snapshots', async () => {
    convert = (object, to) => {
      const converted = offers(object, to);
      mapAt(converted, 'spec')?.set('item', 'Bearer abcdefgh12345678');
      return converted;
    };
    await testCase('to: v1beta1, redact: [spec.price]', { argv: ['--update', '--reporter', 'json=r.json', '--reporter', 'html=r.html'] });
    const text = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
    expect(text('__snapshots__/s.it.yaml')).toContain(
      `      spec:\n        discount: 10\n        item: Bearer <redacted sha256:25f94a2a>\n        price: '<redacted>'\n`,
    );
    for (const file of ['r.json', 'r.html', '__snapshots__/s.it.yaml']) expect(text(file)).not.toContain('abcdefgh12345678');
  });

  it('is reported completely, and read back', async () => {
    convert = forgetful;
    await test([example, '--reporter', 'json=r.json', '--reporter', 'html=r.html']);
    const merged = await runCommand(Merge, ['r.json', '--reporter', 'json'], { cwd: folder });
    const { suites } = JSON.parse(merged.stdout);
    expect(suites).toEqual(JSON.parse(readFileSync(path.join(folder, 'r.json'), 'utf8')).suites);
    const [bread] = suites[0].cases;
    expect(bread.conversion).toMatchObject({
      conversions: [{ object: 'Offer shop/bread', from: 'v1', to: 'v1beta1', outcome: 'converted', calledWebhook: true }, {}],
      findings: expect.arrayContaining([
        expect.objectContaining({ check: 'round-trip', versions: ['v1', 'v1beta1', 'v1'], message: 'spec.discount is lost' }),
      ]),
    });
    const page = readFileSync(path.join(folder, 'r.html'), 'utf8');
    expect(page).toContain('<h3>Offer shop/bread v1 -&gt; v1beta1</h3>');
    expect(page).toContain('Request to offers.demo.webhook-cli.dev: 200');
  });
});

describe('an expectation of a conversion', { timeout: 60_000 }, () => {
  const noSnapshot = { suite: 'snapshot: false\n' };

  it.each([
    ['to: all, expect: {converted: true, object: [{path: spec.item, equals: bread}, {to: v1alpha1, path: spec.cents, equals: 350}]}'],
    ['to: demo.webhook-cli.dev/v1beta1, round-trip: true, expect: {lost: [], findings: []}'],
    ['round-trip: true'],
  ])('holds: %s', async says => {
    expect(failuresIn(await testCase(says, noSnapshot))).toEqual([]);
  });

  it.each([
    ['to: v1beta1, expect: {converted: false}', ['converted: expected the conversion to fail, but it succeeded']],
    ['to: v1beta1, expect: {message: never}', ['message: expected the conversion to fail, but it succeeded', 'expected never']],
    [
      'to: all, expect: {object: [{path: spec.price, absent: true}]}',
      ['object: Offer shop/bread v1 -> v1beta1: spec.price is present, expected it to be absent'],
    ],
    [
      'to: v1beta1, expect: {object: [{to: v2, path: spec.price, absent: true}]}',
      ['object: no object was converted to v2, only to v1beta1'],
    ],
    [
      'round-trip: true, expect: {lost: [spec.discount]}',
      ['lost: expected spec.discount to be lost, but it is unchanged after the round trip'],
    ],
    ['round-trip: true, expect: {findings: [{matches: x}]}', ['findings: no such finding', 'expected /x/']],
  ])('does not hold: %s', async (says, lines) => {
    expect(failuresIn(await testCase(says, noSnapshot))).toEqual(lines);
  });

  it('lists lost fields, and fails for others', async () => {
    convert = forgetful;
    expect((await testCase('round-trip: true, expect: {lost: [spec.discount, spec.price]}', noSnapshot)).exitCode).toBe(0);
    const [first] = failuresIn(await testCase('round-trip: true, expect: {lost: [spec.discount]}', noSnapshot));
    expect(first).toBe('round-trip: Offer shop/bread v1 -> v1alpha1 -> v1: spec.price.currency is lost');
  });

  it('lists findings other than lost fields', async () => {
    convert = (object, to) => {
      if (!object.has('spec')) throw new ConversionRefused('spec is missing');
      return offers(object, to);
    };
    const says = 'round-trip: true, expect: {findings: [{matches: metadata only}]}';
    expect((await testCase('round-trip: true', noSnapshot)).exitCode).toBe(1);
    expect((await testCase(says, noSnapshot)).exitCode).toBe(0);
  });

  it('may be that the webhook is unreachable; other cases are broken then', async () => {
    const closed = async (says: string): Promise<CommandResult> => {
      await testCase(says, noSnapshot);
      return runCommand(Test, ['s.webhook-test.yaml', '--url', 'https://127.0.0.1:1/'], { cwd: folder, env: { XDG_CACHE_HOME: '' } });
    };
    expect(await closed('to: v1beta1, expect: {converted: false}')).toMatchObject({
      exitCode: 4,
      stdout: expect.stringMatching(
        /call: conversion webhook for .*dial tcp 127\.0\.0\.1:1: connect: connection refused\n {6}.*\n {6}try: /,
      ),
    });
    expect((await closed('round-trip: true')).exitCode).toBe(4);
    expect((await closed('to: v1beta1, expect: {message: {matches: refused$}}')).exitCode).toBe(4);
    expect((await closed('to: v1beta1, expect: {failure: {class: tcp, message: {matches: refused$}}}')).exitCode).toBe(0);
    expect((await closed('to: v1beta1, expect: {failure: {class: tls}}')).exitCode).toBe(1);
  });

  it('needs an address of its own: --url cannot serve both', async () => {
    await testCase('to: v1beta1}\n- {name: call, filename: conversion/offer.yaml');
    const both = await runCommand(Test, ['s.webhook-test.yaml', '--url', 'https://127.0.0.1:1/'], {
      cwd: folder,
      env: { XDG_CACHE_HOME: '' },
    });
    expect([both.exitCode, both.stdout]).toEqual([
      3,
      expect.stringContaining('input: --url is one address, and the case "it" converts while others make API calls; pass --service'),
    ]);
    const http = await testCase('to: v1beta1', { suite: 'url: http://127.0.0.1:1/\n', argv: ['--run', 'it'] });
    expect([http.exitCode, http.stdout]).toEqual([
      3,
      expect.stringContaining('input: invalid --url "http://127.0.0.1:1/": the API server calls'),
    ]);
  });

  it('fails for a version that does not exist', async () => {
    const result = await testCase('to: v9');
    expect([result.exitCode, result.stdout]).toEqual([
      3,
      expect.stringContaining('input: offers.demo.webhook-cli.dev has no version "v9", only demo.webhook-cli.dev/v1, '),
    ]);
  });
});
