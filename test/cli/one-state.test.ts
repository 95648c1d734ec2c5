import { afterAll, describe, expect, it } from 'vitest';
import Match from '../../commands/match.js';
import Request from '../../commands/request.js';
import Review from '../../commands/review.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n';
const map = (name: string, inNamespace = 'shop'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${inNamespace}}\n`;
const pod = (name: string, account = 'default'): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, namespace: shop}\nspec: {serviceAccountName: ${account}, containers: [{name: c, image: "nginx:1.27"}]}\n`;
const account = 'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: robot, namespace: shop}\n';
const quota = 'apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: one, namespace: shop}\nspec: {hard: {pods: "1"}}\n';
const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lamps.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: lamps, singular: lamp, kind: Lamp}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`;
const lamp = 'apiVersion: example.com/v1\nkind: Lamp\nmetadata: {name: desk, namespace: shop}\n';
const configuration = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: posted}
webhooks:
- name: posted.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {url: "https://127.0.0.1:1/"}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
`;
const documents = (...texts: readonly string[]): string => texts.join('---\n');

const { folder, remove } = temporaryFolder({
  'state.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: other}\n',
  'all.yaml': documents(namespace, map('a'), definition, lamp, account, pod('with-account', 'robot')),
  'twice.yaml': documents(map('a', 'other'), map('a', 'other')),
  'quota.yaml': documents(namespace, pod('first'), quota, pod('second')),
  'bigger-quota.yaml': documents(namespace, quota.replace('"1"', '"2"'), pod('first'), pod('second'), pod('third')),
  'configuration.yaml': documents(
    configuration.replaceAll('posted', 'early').replace('configmaps', 'secrets'),
    configuration,
    map('a', 'other'),
  ),
  'nowhere.yaml': map('a', 'nowhere'),
});
afterAll(() => remove());

async function review(argv: readonly string[]) {
  const { stdout, stderr, exitCode } = await runCommand(Review, ['-o', 'name', ...argv], { cwd: folder });
  return { lines: stdout.trimEnd().split('\n'), stderr, exitCode };
}

const demo = ['--demo', '--state', 'state.yaml'];

describe('the calls of one run', () => {
  it('see objects created by earlier ones: a namespace, a definition, a service account', async () => {
    expect(await review([...demo, '-f', 'all.yaml'])).toEqual({
      lines: [
        'namespace/shop allowed',
        'configmap/a allowed',
        'customresourcedefinition.apiextensions.k8s.io/lamps.example.com allowed',
        'lamp.example.com/desk allowed',
        'serviceaccount/robot allowed',
        'pod/with-account allowed',
      ],
      stderr: '6 calls: 6 allowed, 0 refused\n',
      exitCode: 0,
    });
  });

  it('do not share changes with --independent', async () => {
    const { lines, stderr, exitCode } = await review([...demo, '--independent', '-f', 'all.yaml']);
    expect(lines).toEqual([
      'namespace/shop allowed',
      'configmap/a refused',
      'customresourcedefinition.apiextensions.k8s.io/lamps.example.com allowed',
      'serviceaccount/robot refused',
      'pod/with-account refused',
    ]);
    expect(stderr).toMatch(/^error: all\.yaml:\d+:1: .*no matches for kind "Lamp".*\n6 calls: 2 allowed, 3 refused, 1 unusable\n$/);
    expect(exitCode).toBe(3);
  });

  it('refuse a second object of the same name', async () => {
    const { stdout } = await runCommand(Review, [...demo, '-f', 'twice.yaml'], { cwd: folder });
    expect(stdout).toContain('configmap/a created\n');
    expect(stdout).toContain('configmaps "a" already exists\n');
  });

  it('delete an object once', async () => {
    const { stdout } = await runCommand(Review, [...demo, '--operation', 'delete', '--old', 'twice.yaml', '-f', 'twice.yaml'], {
      cwd: folder,
    });
    expect(stdout.match(/^configmap "a" deleted/gm)).toHaveLength(1);
    expect(stdout).toContain('configmaps "a" not found\n');
  });

  it('count against a quota created in the same run, including existing objects', async () => {
    const { lines } = await review([...demo, '-f', 'quota.yaml']);
    expect(lines).toEqual(['namespace/shop allowed', 'pod/first allowed', 'resourcequota/one allowed', 'pod/second refused']);
  });

  it('add to the usage of a quota', async () => {
    const { stdout } = await runCommand(Review, [...demo, '-f', 'bigger-quota.yaml'], { cwd: folder });
    expect(stdout).toContain('pods "third" is forbidden: exceeded quota: one, requested: pods=1, used: pods=2, limited: pods=2\n');
    expect(stdout).toContain('pod/second created\n');
  });

  it('change nothing in a dry run', async () => {
    const { lines } = await review([...demo, '--dry-run', 'server', '-f', 'twice.yaml']);
    expect(lines).toEqual(['configmap/a allowed', 'configmap/a allowed']);
  });

  it('reach webhooks of configurations that were created among them', async () => {
    const { stdout } = await runCommand(Request, ['--state', 'configuration.yaml', '-f', 'configuration.yaml'], { cwd: folder });
    expect(stdout).toBe('');
    const state = documents(
      configuration.replaceAll('posted', 'early').replace('configmaps', 'secrets'),
      'apiVersion: v1\nkind: Namespace\nmetadata: {name: other}\n',
    );
    const posted = await runCommand(Request, ['--state', '-', '-f', 'configuration.yaml'], { cwd: folder, stdin: state });
    expect(posted.stdout).toContain('"name":"a","namespace":"other"');
  });

  it('reach webhooks of configurations in their file, without any before', async () => {
    const matched = await runCommand(Match, ['-f', 'configuration.yaml'], { cwd: folder });
    const last = 'CREATE ConfigMap other/a\nPHASE       WEBHOOK                    CALLED\n';
    const others =
      'validating  early/early.example.com    no: rules: no rule matches CREATE configmaps of the core group v1: it is for CREATE secrets of core v1\n';
    expect(matched.stdout).toContain(`${last}${others}validating  posted/posted.example.com  yes\n`);
    const { lines, exitCode } = await review(['-f', 'configuration.yaml']);
    expect([lines.map(line => line.split(' ')[1]), exitCode]).toEqual([['allowed', 'allowed', 'refused'], 4]);
    const covered = await runCommand(Match, ['-f', 'configuration.yaml', '--all-operations'], { cwd: folder });
    expect(covered.stderr).toContain('error: no webhooks specified; ');
  });

  it('that create what the state has are refused, with what to do', async () => {
    const { stderr } = await runCommand(Match, ['--state', 'configuration.yaml', '-f', 'configuration.yaml'], { cwd: folder });
    expect(stderr).toContain(
      '"posted" already exists\nnote: --state has this object already: leave it out there, or use --operation update\n',
    );
  });

  it('leave posted configurations alone with --demo', async () => {
    expect((await review([...demo, '-f', 'configuration.yaml'])).lines.at(-1)).toBe('configmap/a allowed');
  });
});

describe('a namespace that the state lacks', () => {
  it("is rejected with the API server's message, and a suggestion to add it", async () => {
    const { stdout } = await runCommand(Review, [...demo, '-f', 'nowhere.yaml'], { cwd: folder });
    expect(stdout).toContain('  no webhook was called: the API server refused the call first\n');
    expect(stdout).toContain(
      '  note: --state has no namespace nowhere: add a file with "kubectl create namespace nowhere --dry-run=client -o yaml"',
    );
    expect(stdout).toContain('Error from server (NotFound): error when creating "nowhere.yaml": namespaces "nowhere" not found\n');
  });
});
