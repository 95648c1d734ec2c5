import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import Lint from '../../commands/lint.js';
import Match from '../../commands/match.js';
import Review from '../../commands/review.js';
import { type CommandClass, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
const invalid = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: UPPER}\n';
const configuration = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: w}
webhooks:
- name: w.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {url: "https://127.0.0.1:1/"}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
`;

const { folder, remove } = temporaryFolder({
  'repository/a.yaml': map,
  'repository/deep/kustomization.yaml': 'resources: [a.yaml]\n',
  'repository/deep/values.yaml': 'replicas: 2\n',
  'repository/z-broken.yaml': 'a: [\n',
  'repository/zz.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: z}\n',
  'configurations/webhooks.yaml': configuration,
  'configurations/values.yaml': 'replicas: 2\n',
  'unusable-webhooks.yaml':
    'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: w}\nwebhooks: 5\n',
  'one-invalid.yaml': `${map}---\n${invalid}`,
  'two-invalid.yaml': `${invalid}---\n${map}---\n${invalid.replace('UPPER', 'HIGHER')}`,
  'map.yaml': map,
  'empty.pem': '',
  'garbage.pem': 'garbage\n',
  token: 'one\ntwo\n',
});
afterAll(() => remove());

const run = (command: CommandClass, argv: readonly string[]) => runCommand(command, argv, { cwd: folder });

describe('a folder with files that cannot be used', () => {
  it('is reviewed as far as possible, with errors listed at the end', async () => {
    const { stdout, stderr, exitCode } = await run(Review, ['--demo', '-R', '-f', 'repository', '-o', 'name']);
    expect([stdout, exitCode]).toEqual(['configmap/a allowed\nsecret/z allowed\n', 3]);
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^error: repository\/deep\/kustomization\.yaml:1:1: Object 'Kind' is missing/),
      expect.stringMatching(/^error: repository\/deep\/values\.yaml:1:1: Object 'Kind' is missing/),
      expect.stringMatching(/^error: repository\/z-broken\.yaml:/),
      '5 calls: 2 allowed, 0 refused, 3 unusable',
    ]);
  });

  it('has its errors in the JSON document, too', async () => {
    const { stdout, exitCode } = await run(Review, ['--demo', '-R', '-f', 'repository', '-o', 'json']);
    const { kind, items, errors } = JSON.parse(stdout);
    expect([kind, items.length, errors.map((error: { code: string }) => error.code), exitCode]).toEqual([
      'ReportList',
      2,
      ['invalid-manifest', 'invalid-manifest', 'invalid-syntax'],
      3,
    ]);
  });

  it('is matched and linted, too', async () => {
    const matched = await run(Match, ['--demo', '-R', '-f', 'repository', '-o', 'json']);
    expect([JSON.parse(matched.stdout).items.length, matched.exitCode]).toEqual([2, 3]);
    const linted = await run(Lint, ['-f', 'configurations']);
    expect(linted.stdout).toMatch(/\d+ errors?, \d+ warnings?, \d+ infos?\n$/);
    expect(linted.stderr).toMatch(/^error: configurations\/values\.yaml:1:1: .*\n2 documents: 1 unusable\n$/);
    expect(linted.exitCode).toBe(3);
  });
});

describe("kubectl's words for the only failure of a run", () => {
  it('are those of the report if it has any', async () => {
    const { stdout } = await run(Review, ['--demo', '-f', 'one-invalid.yaml']);
    expect(stdout).toContain('\nThe ConfigMap "UPPER" is invalid: metadata.name: ');
  });

  it('are those of several as soon as there is a second one', async () => {
    const { stdout } = await run(Review, ['--demo', '-f', 'two-invalid.yaml']);
    expect(stdout).not.toContain('The ConfigMap');
    expect(stdout.match(/^Error from server \(Invalid\): error when creating "two-invalid.yaml"/gm)).toHaveLength(2);
    expect(stdout.indexOf('"UPPER"')).toBeLessThan(stdout.indexOf('configmap/a created'));
  });
});

describe('flags with values that cannot be used', () => {
  const url = ['-f', 'map.yaml', '--url', 'https://127.0.0.1:1/'];
  it.each([
    [['--ca-file', 'empty.pem'], 3, 'error: empty.pem: --ca-file cannot be used: it is empty'],
    [['--ca-file', 'garbage.pem'], 3, 'error: garbage.pem: --ca-file cannot be used: unable to parse bytes as PEM block'],
    [['--client-certificate', 'garbage.pem', '--client-key', 'garbage.pem'], 3, 'error: garbage.pem: --client-certificate cannot be used'],
    [['--token-file', 'token'], 3, 'error: token: --token-file cannot be used: the token contains a line break'],
    [['--header', 'a=b\nc'], 2, 'error: invalid --header "a=b\\nc": expected KEY=VALUE, without line breaks'],
    [['--match-condition', '1+'], 2, 'error: invalid --match-condition "1+": compilation failed: '],
    [['--review-versions', 'v9'], 2, 'error: invalid --review-versions "v9": must include at least one of v1, v1beta1'],
  ])('%j', async (flags, code, message) => {
    const { stdout, stderr, exitCode } = await run(Review, [...url, ...flags]);
    expect({ stdout, exitCode, stderr }).toEqual({ stdout: '', exitCode: code, stderr: expect.stringContaining(message) });
  });

  it.each([
    [['-l', 'app=web', '-f', 'map.yaml'], 'pass manifests with -f'],
    [['-v=6', '-f', 'map.yaml'], 'use -o json --include exchange'],
    [['map.yaml'], 'pass files with -f: -f map.yaml'],
    [['-f', 'map.yaml', '-o', 'jsonpath={.kind}'], 'pass -o json to jq for parts of it'],
    [['-f', ''], '-f is empty'],
  ])('kubectl has %j', async (argv, advice) => {
    const { stderr, exitCode } = await run(Review, ['--demo', ...argv]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(advice)]);
  });

  it('takes a list of files, as kubectl does', async () => {
    const { stdout } = await run(Review, ['--demo', '-f', 'map.yaml,repository/zz.yaml', '-o', 'name']);
    expect(stdout).toBe('configmap/a allowed\nsecret/z allowed\n');
  });

  it('rejects a configuration in a version that is not served', async () => {
    const text = readFileSync(path.join(folder, 'unusable-webhooks.yaml'), 'utf8').replace('k8s.io/v1', 'k8s.io/v1beta1');
    writeFileSync(path.join(folder, 'old-webhooks.yaml'), text);
    const { stderr, exitCode } = await run(Match, ['-f', 'map.yaml', '--state', 'old-webhooks.yaml']);
    const sentence =
      'error: ValidatingWebhookConfiguration w: no matches for kind "ValidatingWebhookConfiguration" in version "admissionregistration.k8s.io/v1beta1"; use ';
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining(sentence)]);
  });

  it('rejects an invalid configuration, even if nothing is sent', async () => {
    const { stderr, exitCode } = await run(Match, ['-f', 'map.yaml', '--state', 'unusable-webhooks.yaml']);
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('error: the API server refuses ValidatingWebhookConfiguration w: ')]);
  });
});
