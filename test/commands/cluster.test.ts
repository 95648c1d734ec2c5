import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import Apiserver from '../../commands/apiserver.js';
import CertsVerify from '../../commands/certs/verify.js';
import Convert from '../../commands/convert.js';
import Lint from '../../commands/lint.js';
import Match from '../../commands/match.js';
import Request from '../../commands/request.js';
import Review from '../../commands/review.js';
import State from '../../commands/state.js';
import Test from '../../commands/test.js';
import { type LocalCluster, startLocalCluster } from '../support/local-cluster.js';
import { type CommandClass, type CommandResult, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const named = (kind: string, name: string, namespace?: string): object => ({
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
});

const guard = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'guard' },
  webhooks: [
    {
      name: 'guard.example.com',
      clientConfig: { service: { namespace: 'team', name: 'guard', port: 443 }, caBundle: '' },
      rules: [{ operations: ['CREATE'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['crontabs'] }],
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      namespaceSelector: { matchLabels: { guarded: 'yes' } },
    },
  ],
};

/** Selects no namespace, which lint reports. */
const idle = {
  ...guard,
  metadata: { name: 'idle' },
  webhooks: guard.webhooks.map(webhook => ({ ...webhook, name: 'idle.example.com', namespaceSelector: { matchLabels: { never: 'x' } } })),
};

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'crontabs.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'crontabs', singular: 'crontab', kind: 'CronTab', listKind: 'CronTabList' },
    versions: ['v1', 'v2'].map(name => ({
      ...{ name, served: true, storage: name === 'v1' },
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    })),
  },
};

const objects: object[] = [
  { apiVersion: 'v1', ...named('Namespace', 'team'), metadata: { name: 'team', labels: { guarded: 'yes' } } },
  { apiVersion: 'v1', ...named('Namespace', 'other') },
  { apiVersion: 'v1', ...named('Namespace', 'kube-system') },
  { apiVersion: 'v1', ...named('ServiceAccount', 'default', 'team') },
  { apiVersion: 'v1', ...named('LimitRange', 'limits', 'team'), spec: { limits: [{ type: 'Container', default: { cpu: '200m' } }] } },
  { apiVersion: 'v1', ...named('LimitRange', 'limits', 'other'), spec: { limits: [{ type: 'Container', default: { cpu: '300m' } }] } },
  { apiVersion: 'v1', ...named('Secret', 'password', 'team'), data: { password: 'aHVudGVyMg==' } },
  { apiVersion: 'v1', ...named('ConfigMap', 'stored', 'team'), data: { a: '1' } },
  guard,
  idle,
  definition,
];

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', namespace: 'team' },
  spec: { containers: [{ name: 'c', image: 'i:1' }] },
};
const cronTab = { apiVersion: 'example.com/v1', kind: 'CronTab', metadata: { name: 'a', namespace: 'team' }, spec: { x: 1 } };

describe('a cluster', { timeout: 60_000 }, () => {
  let cluster: LocalCluster;
  let folder: string;
  let remove: () => void;

  beforeAll(async () => {
    cluster = await startLocalCluster(objects);
    ({ folder, remove } = temporaryFolder({
      'pod.json': JSON.stringify(pod),
      'crontab.json': JSON.stringify(cronTab),
      'secret.json': JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'password', namespace: 'team' }, data: {} }),
      'state/limits.json': JSON.stringify({
        apiVersion: 'v1',
        ...named('LimitRange', 'limits', 'team'),
        spec: { limits: [{ type: 'Container', default: { cpu: '9' } }] },
      }),
    }));
  });
  beforeEach(() => {
    cluster.takeRequests();
  });
  afterAll(async () => {
    remove();
    await cluster.close();
  });

  function run(command: CommandClass, ...argv: string[]): Promise<CommandResult> {
    return runCommand(command, [...argv, '--kubeconfig', cluster.kubeconfig], { cwd: folder });
  }

  it('is read for what a call looks up, by GET alone, and each thing once', async () => {
    const { exitCode, stdout } = await run(Review, '-f', 'pod.json', '--demo', '-o', 'object');
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('cpu: 200m')]);
    expect(cluster.takeRequests().sort()).toEqual(
      [
        'GET /version 200',
        ...['validating', 'mutating'].flatMap(type =>
          ['policies', 'policybindings'].map(end => `GET /apis/admissionregistration.k8s.io/v1/${type}admission${end}?limit=500 200`),
        ),
        'GET /api/v1/namespaces/team 200',
        'GET /api/v1/namespaces/team/pods/a 404',
        'GET /api/v1/namespaces/team/serviceaccounts/default 200',
        'GET /api/v1/namespaces/team/limitranges?limit=500 200',
        'GET /api/v1/namespaces/team/resourcequotas?limit=500 200',
        'GET /apis/scheduling.k8s.io/v1/priorityclasses?limit=500 200',
      ].sort(),
    );
  });

  it('has what tables of operations and explanations look at', async () => {
    const operations = await run(Match, '-f', 'crontab.json', '--all-operations');
    expect([operations.exitCode, operations.stdout]).toEqual([
      0,
      expect.stringContaining('CREATE     crontabs  -         guard.example.com'),
    ]);
    const { stdout } = await run(Match, '-f', 'pod.json', '--explain');
    expect(stdout).toContain('guard/guard.example.com  no: rules');
    expect(stdout).toContain('labels guarded=yes');
  });

  it('has the definitions of custom kinds, found by discovery', async () => {
    const { stdout } = await run(Match, '-f', 'crontab.json');
    expect(stdout).toContain('guard/guard.example.com  yes');
    const requests = cluster.takeRequests();
    expect(requests).toEqual(
      expect.arrayContaining([
        'GET /apis/example.com/v1 200',
        'GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions/crontabs.example.com 200',
      ]),
    );
    expect(requests.filter(request => /customresourcedefinitions\?/.test(request))).toEqual([]);
  });

  it('gives the same bodies and results as its objects in files', async () => {
    await run(State, '-o', 'same', '-A');
    for (const file of ['pod.json', 'crontab.json']) {
      const fixed = ['-f', file, '--seed', '7', '--now', '2026-01-02T00:00:00Z', '--kubernetes-version', 'v1.36'];
      const live = await run(Request, ...fixed);
      const files = await runCommand(Request, [...fixed, '--state', 'same'], { cwd: folder });
      expect(live).toEqual(files);
    }
  });

  it('is replaced object by object by the files of --state', async () => {
    const { stdout } = await run(Review, '-f', 'pod.json', '--demo', '-o', 'object', '--state', 'state');
    expect(stdout).toContain("cpu: '9'");
  });

  it('knows what it does not have: a missing namespace is refused', async () => {
    const { stdout, exitCode } = await run(Review, '-f', 'pod.json', '--demo', '--as', 'jane', '--state', 'state');
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain('taken to exist');
    writeFileSync(path.join(folder, 'nowhere.json'), JSON.stringify({ ...pod, metadata: { name: 'a', namespace: 'nowhere' } }));
    const missing = await run(Review, '-f', 'nowhere.json', '--demo');
    expect([missing.exitCode, missing.stdout]).toEqual([1, expect.stringContaining('namespaces "nowhere" not found')]);
  });

  it('never shows the values of a Secret: calls that need them are refused', async () => {
    const update = await run(Review, '-f', 'secret.json', '--demo', '--operation', 'update');
    expect([update.exitCode, update.stderr]).toEqual([
      3,
      expect.stringContaining('the values of the Secret team/password are not read from a cluster'),
    ]);
    const again = await run(Review, '-f', 'secret.json', '--demo', '-o', 'json', '--include', 'exchange');
    expect([again.exitCode, again.stdout]).toEqual([1, expect.stringContaining('already exists')]);
    expect(update.stderr + again.stdout).not.toMatch(/hunter2|aHVudGVyMg/);
  });

  it('says in one sentence that it may not be read, and by whom', async () => {
    const who = (context: string) => run(Review, '-f', 'pod.json', '--demo', '--context', context);
    expect(await who('jane')).toEqual({
      ...{ stdout: '', exitCode: 3 },
      stderr: expect.stringMatching(
        /^error: user "jane" of context "jane" may not list \w+\.admissionregistration\.k8s\.io: .* is forbidden: .*; grant the user read access\n$/,
      ),
    });
    expect(await who('stranger')).toEqual({
      ...{ stdout: '', exitCode: 3 },
      stderr:
        'error: the cluster does not accept the credentials of user "stranger" of context "stranger": Unauthorized; log in again, or renew the credentials\n',
    });
    expect((await who('nobody')).stderr).toContain('error: context "nobody" does not exist');
    const error = JSON.parse((await run(Review, '-f', 'pod.json', '--demo', '--context', 'jane', '-o', 'json')).stdout);
    expect(error.code).toBe('cluster-refused');
  });

  it('is not taken for empty where its address is another server', async () => {
    const config = JSON.parse(readFileSync(cluster.kubeconfig, 'utf8'));
    config.clusters[0].cluster.server += '/elsewhere';
    writeFileSync(path.join(folder, 'elsewhere'), JSON.stringify(config));
    const { exitCode, stderr } = await runCommand(Match, ['-f', 'pod.json', '--kubeconfig', 'elsewhere', '--kubernetes-version', 'v1.36'], {
      cwd: folder,
    });
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('/elsewhere of context "local" is not the address of an API server')]);
  });

  it('is linted, and its certificates are verified', async () => {
    const lint = await run(Lint, '-o', 'json');
    expect(JSON.parse(lint.stdout).findings.map(({ file }: { file: string }) => file)).toContain('validatingwebhookconfiguration/idle');
    const verified = await run(CertsVerify, '--cert-dir', 'nothing');
    expect([verified.exitCode, verified.stderr]).toEqual([3, expect.stringContaining('nothing')]);
  });

  it('has the definitions for conversions', async () => {
    const { stdout, exitCode } = await run(Convert, '-f', 'crontab.json', '--to', 'v2', '-o', 'yaml');
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('apiVersion: example.com/v2')]);
  });

  it('agrees with its own answers, each from a dry run', async () => {
    const { stdout, exitCode } = await run(Review, '-f', 'pod.json', '--against-cluster');
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('note: the cluster agrees')]);
    const writes = cluster.takeRequests().filter(request => !request.startsWith('GET'));
    expect(writes).toEqual([
      'POST /apis/authentication.k8s.io/v1/selfsubjectreviews?dryRun=All 201',
      expect.stringMatching(/^POST \/api\/v1\/namespaces\/team\/pods\?.*dryRun=All 201$/),
    ]);
  });

  it('names the fields of answers that differ', async () => {
    const { stdout, exitCode } = await run(Review, '-f', 'pod.json', '--against-cluster', '--state', 'state', '-o', 'json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout).findings).toEqual(
      expect.arrayContaining([
        { check: 'cluster', webhook: '', message: '/spec/containers/0/resources/limits/cpu is "200m" in the cluster, and "9" here' },
      ]),
    );
  });

  it('refuses comparisons that no dry run allows, or of webhooks that it does not have', async () => {
    const call = {
      method: 'POST',
      path: '/api/v1/namespaces/team/serviceaccounts/default/token',
      contentType: 'application/json',
      body: '{}',
    };
    writeFileSync(path.join(folder, 'call.json'), JSON.stringify(call));
    const token = await run(Review, '--call', 'call.json', '--against-cluster');
    expect([token.exitCode, token.stderr]).toEqual([
      2,
      expect.stringContaining('cannot be compared with the cluster: the response would contain a token'),
    ]);
    const demo = await run(Review, '-f', 'pod.json', '--demo', '--against-cluster');
    expect([demo.exitCode, demo.stderr]).toEqual([2, expect.stringContaining('cannot be used with --demo')]);
    expect(cluster.takeRequests().filter(request => request.includes('token'))).toEqual([]);
  });

  it('is compared with every case of a suite', async () => {
    const suite = (state: string) => `
apiVersion: webhook-cli.dev/v1alpha1
kind: Suite
cases:
- {name: pod, filename: pod.json${state}, expect: {allowed: true, called: []}}
`;
    writeFileSync(path.join(folder, 'all.webhook-test.yaml'), suite(''));
    const agreed = await run(Test, 'all.webhook-test.yaml', '--against-cluster', '--update');
    expect([agreed.exitCode, agreed.stdout + agreed.stderr]).toEqual([0, expect.stringContaining('1 passed')]);
    writeFileSync(path.join(folder, 'all.webhook-test.yaml'), suite(', state: [state]'));
    const differs = await run(Test, 'all.webhook-test.yaml', '--against-cluster', '--update');
    expect([differs.exitCode, differs.stdout]).toEqual([
      1,
      expect.stringContaining('/spec/containers/0/resources/limits/cpu is "200m" in the cluster'),
    ]);
  });
});

describe('the command apiserver', () => {
  it('does not overwrite the kubeconfig of another cluster', async () => {
    const { folder, remove } = temporaryFolder({ config: 'current-context: production\n' });
    const { exitCode, stderr } = await runCommand(Apiserver, ['--kubeconfig', 'config', '--', 'true'], { cwd: folder });
    const kept = readFileSync(path.join(folder, 'config'), 'utf8');
    remove();
    expect([exitCode, stderr, kept]).toEqual([
      2,
      expect.stringContaining('it is the kubeconfig of another cluster'),
      'current-context: production\n',
    ]);
  });
});

describe('the command state', { timeout: 60_000 }, () => {
  let cluster: LocalCluster;
  let folder: string;
  let remove: () => void;

  beforeAll(async () => {
    cluster = await startLocalCluster(objects);
    ({ folder, remove } = temporaryFolder({ 'out/own.yaml': 'kind: List\napiVersion: v1\nitems: []\n' }));
  });
  afterAll(async () => {
    remove();
    await cluster.close();
  });

  const state = (...argv: string[]): Promise<CommandResult> =>
    runCommand(State, ['--kubeconfig', cluster.kubeconfig, '-o', 'out', ...argv], { cwd: folder });
  const files = (): Record<string, string> =>
    Object.fromEntries(readdirSync(path.join(folder, 'out')).map(name => [name, readFileSync(path.join(folder, 'out', name), 'utf8')]));

  it('writes the same bytes twice, without Secrets and bookkeeping, and leaves other files alone', async () => {
    cluster.takeRequests();
    expect((await state()).exitCode).toBe(0);
    expect(cluster.takeRequests().filter(request => !request.startsWith('GET') || /secrets|configmaps|pods|events/.test(request))).toEqual(
      [],
    );
    const first = files();
    expect(Object.keys(first)).toEqual(
      expect.arrayContaining([
        'own.yaml',
        'validatingwebhookconfiguration_guard.yaml',
        'customresourcedefinition_crontabs.example.com.yaml',
        'limitrange_team_limits.yaml',
        'serviceaccount_team_default.yaml',
        'clusterrole_cluster-admin.yaml',
      ]),
    );
    // No webhook and no policy can concern the namespace.
    expect(Object.keys(first)).not.toContain('limitrange_other_limits.yaml');
    expect(Object.values(first).join('')).not.toMatch(/hunter2|aHVudGVyMg|managedFields|resourceVersion/);
    const again = await state();
    expect([again.stdout, files()]).toEqual([expect.stringMatching(/^\d+ objects in out, nothing changed\n$/), first]);
  });

  it('tells with --check what has changed, and removes files of objects that are gone', async () => {
    await state();
    expect([(await state('--check')).exitCode, await state('--check', '-A')]).toEqual([
      0,
      { exitCode: 1, stderr: '', stdout: expect.stringContaining('new      out/limitrange_other_limits.yaml\n') },
    ]);
    const limits = path.join(folder, 'out/limitrange_team_limits.yaml');
    writeFileSync(limits, readFileSync(limits, 'utf8').replace('200m', '100m'));
    writeFileSync(path.join(folder, 'out/limitrange_team_gone.yaml'), readFileSync(limits, 'utf8').replace('name: limits', 'name: gone'));
    const { stdout, exitCode } = await state('--check');
    expect([exitCode, stdout]).toEqual([
      1,
      'gone     out/limitrange_team_gone.yaml\nchanged  out/limitrange_team_limits.yaml\n         /spec/limits/0/default/cpu was "100m", and is "200m" now\nthe cluster is not as in out: 1 changed, 1 gone\n',
    ]);
    await state();
    expect(Object.keys(files())).toEqual(expect.arrayContaining(['own.yaml']));
    expect(Object.keys(files())).not.toContain('limitrange_team_gone.yaml');
    expect((await state('--check')).exitCode).toBe(0);
  });

  it('refuses to run without a folder, with a missing one to check, and with two scopes', async () => {
    const withoutFolder = await runCommand(State, ['--kubeconfig', cluster.kubeconfig], { cwd: folder });
    expect([withoutFolder.exitCode, withoutFolder.stderr]).toEqual([2, 'error: no folder specified; pass -o DIR\n']);
    const missing = await runCommand(State, ['--kubeconfig', cluster.kubeconfig, '-o', 'nothing', '--check'], { cwd: folder });
    expect([missing.exitCode, missing.stderr]).toEqual([3, 'error: nothing: no such folder; write it with webhook-cli state -o DIR\n']);
    expect((await state('-n', 'team', '-A')).exitCode).toBe(2);
  });
});
