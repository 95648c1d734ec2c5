import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import Request from '../../commands/request.js';
import Review from '../../commands/review.js';
import { root, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Recorded {
  readonly manifest: { readonly kind: string; readonly metadata: { readonly name: string } };
  readonly now: string;
  /** The recorded review of the first pod that the controller created. */
  readonly review: string;
}

/** Recorded with the controllers and the API server of Kubernetes v1.36.3. */
const recorded: readonly Recorded[] = JSON.parse(readFileSync(path.join(root, 'fixtures/controllers/created-pods.json'), 'utf8'));

const cluster = `
apiVersion: v1
kind: Namespace
metadata: {name: team}
---
apiVersion: v1
kind: Node
metadata: {name: node-1, labels: {disk: ssd, arch: x, kubernetes.io/hostname: node-1}}
`;

const web =
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {SPEC, selector: {matchLabels: {app: w}}, template: TEMPLATE}\n'.replace(
    'TEMPLATE',
    '{metadata: {labels: {app: w}}, spec: {containers: [{name: c, image: "web:1"}]}}',
  );

const temporary = temporaryFolder({
  'cluster.yaml': cluster,
  ...Object.fromEntries(recorded.map(({ manifest }, i) => [`recorded-${i}.json`, JSON.stringify(manifest)])),
  'web.yaml': web.replace('SPEC, ', 'replicas: 3, '),
  'none.yaml': web.replace('SPEC, ', 'replicas: 0, '),
  'invalid.yaml': web.replace('SPEC, ', '').replace('matchLabels: {app: w}', 'matchLabels: {app: other}'),
  'dated.yaml': web
    .replace('SPEC, ', '')
    .replace('labels: {app: w}}, spec', 'labels: {app: w}, creationTimestamp: "2020-01-01T00:00:00Z"}, spec'),
  'agent.yaml': web.replace('SPEC, ', '').replace('Deployment', 'DaemonSet'),
  'suspended.yaml':
    'apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: nightly}\nspec: {suspend: true, schedule: "0 0 * * *", jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}}\n',
  'config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n',
  'mixed/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n',
  'mixed/b.yaml': web.replace('SPEC, ', ''),
});
afterAll(temporary.remove);

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Numbers random ids by their first occurrence; the volume added by the API server has a random suffix. */
function masked(text: string): string {
  const known: string[] = [];
  return text.replace(/(kube-api-access)-\w{5}/g, '$1').replace(uuid, id => {
    if (!known.includes(id)) known.push(id);
    return `uid-${known.indexOf(id) + 1}`;
  });
}

describe('request --created-pods', { timeout: 30_000 }, () => {
  it.each(
    recorded.map(({ manifest, now, review }, i) => [`${manifest.kind} ${manifest.metadata.name.slice(0, 20)}`, i, now, review] as const),
  )('is what the controller of %s made the API server send', async (_, i, now, review) => {
    const fixed = ['--now', now, '--seed', '1', '--kubernetes-version', 'v1.36'];
    const argv = ['-f', `recorded-${i}.json`, '--created-pods', '--state', 'cluster.yaml', ...fixed];
    const { stdout, stderr, exitCode } = await runCommand(Request, argv, { cwd: temporary.folder });
    expect({ body: masked(stdout), stderr, exitCode }).toEqual({ body: masked(`${review}\n`), stderr: '', exitCode: 0 });
  });

  it('skips objects that create no pods, with a note', async () => {
    const { stdout, stderr } = await runCommand(Request, ['-f', 'mixed', '--created-pods'], { cwd: temporary.folder });
    expect([stdout.split('\n').length - 1, stderr]).toEqual([1, 'warning: mixed/a.yaml: ConfigMap c creates no pods; skipped\n']);
  });
});

describe('review --created-pods', { timeout: 30_000 }, () => {
  it('calls the webhooks for the pod, as the user of its controller', async () => {
    const { stdout, exitCode } = await runCommand(Review, ['--demo', '-f', 'web.yaml', '--created-pods', '-o', 'json'], {
      cwd: temporary.folder,
    });
    const { call, decision, notes } = JSON.parse(stdout);
    expect([exitCode, call.path, call.user.username]).toEqual([
      0,
      '/api/v1/namespaces/default/pods',
      'system:serviceaccount:kube-system:replicaset-controller',
    ]);
    expect(decision.object.metadata.name).toMatch(/^web-[a-z0-9]{8,10}-[a-z0-9]{5}$/);
    expect(decision.object.metadata.labels['demo.webhook-cli.dev/reviewed']).toBe('yes');
    expect(notes).toEqual([
      'the pod of Deployment web is created from the workload as stored without webhooks: changes by webhooks to the workload are not in the pod',
      'in a cluster, the user of the controller also has a uid, that of its service account',
      `ReplicaSet ${decision.object.metadata.ownerReferences[0].name} requests 3 pods that differ only in their names: one of them is shown`,
    ]);
  });

  it('assumes a node if the state has none', async () => {
    const { stdout } = await runCommand(Review, ['--demo', '-f', 'agent.yaml', '--created-pods', '-o', 'json'], { cwd: temporary.folder });
    expect(JSON.parse(stdout).notes.at(-1)).toBe(
      'DaemonSet agent has a pod on each eligible node: the state has none, so node-1 is assumed'.replace('agent', 'web'),
    );
  });

  it.each([
    ['none.yaml', [], 'none.yaml: Deployment web requests no pods; skipped', 3],
    ['suspended.yaml', [], 'suspended.yaml: CronJob nightly requests no pods; skipped', 3],
    ['config.yaml', [], 'config.yaml: ConfigMap c creates no pods; skipped', 3],
    ['invalid.yaml', [], 'invalid.yaml: the API server does not store Deployment web: Deployment.apps "web" is invalid: ', 3],
    ['dated.yaml', [], 'dated.yaml: the hash of the pod template of Deployment web is not reproduced: a time in a pod template', 2],
    ['web.yaml', ['--as', 'jane'], 'the controller makes the call: --created-pods cannot be used with --as', 2],
    ['web.yaml', ['--dry-run', 'server'], 'the controller makes the call: --created-pods cannot be used with --dry-run', 2],
    ['web.yaml', ['--operation', 'update'], 'controllers create pods: --created-pods cannot be used with --operation update', 2],
  ])('of %s %j reports why it is not supported', async (file, more, message, code) => {
    const { stdout, stderr, exitCode } = await runCommand(Review, ['--demo', '-f', file, '--created-pods', ...more], {
      cwd: temporary.folder,
    });
    expect([stdout, stderr.slice(0, `error: ${message}`.length), exitCode]).toEqual(['', `error: ${message}`, code]);
  });
});
