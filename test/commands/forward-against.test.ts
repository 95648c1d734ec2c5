import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Review from '../../commands/review.js';
import Test from '../../commands/test.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import { configuration, type Hook, node, pod, service, startHook } from '../support/cluster-webhook.js';
import { type LocalCluster, startLocalCluster } from '../support/local-cluster.js';
import { type CommandClass, type CommandResult, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The webhook behind the ports of the pod, and those that the API server calls by service: the same, with another patch, with another decision. */
let hooks: readonly [same: Hook, patching: Hook, denying: Hook];
let clusters: readonly LocalCluster[];

beforeAll(async () => {
  const pair = await issueServingPair({ dns: ['web.team.svc'], ips: [] }, new Date());
  hooks = await Promise.all([startHook({ pair }), startHook({ pair, label: 'no' }), startHook({ pair, denies: true })]);
  const [{ address }] = hooks;
  const objects = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } },
    ...[node, configuration('MutatingWebhookConfiguration', 'm', { service: 'web', path: '/mutate', ca: pair.ca })],
    configuration('ValidatingWebhookConfiguration', 'v', { service: 'web', path: '/validate', ca: pair.ca }),
    service('web', { type: 'ClusterIP', selector: { app: 'web' }, ports: [{ port: 443, targetPort: 'https', protocol: 'TCP' }] }),
    pod('web-0', { app: 'web' }),
  ];
  const forwards = new Map([['team/web-0:8443', address]]);
  clusters = await Promise.all(hooks.map(hook => startLocalCluster(objects, forwards, { webhooksAt: hook.address })));
});

afterAll(async () => {
  await Promise.all([...clusters, ...hooks].map(each => each.close()));
});

const map = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'team', labels: { for: 'web' } } });
const suite = `apiVersion: webhook-cli.dev/v1alpha1
kind: Suite
cases:
- {name: labels, filename: map.yaml, expect: {allowed: true}}
`;

async function run(index: number, command: CommandClass, ...argv: readonly string[]): Promise<CommandResult & { writes: string[] }> {
  const cluster = clusters[index];
  if (cluster === undefined) throw new Error('no such cluster');
  const { folder, remove } = temporaryFolder({ 'map.yaml': map, 'a.webhook-test.yaml': suite });
  cluster.takeRequests();
  for (const hook of hooks) hook.take();
  try {
    const target = ['--kubeconfig', cluster.kubeconfig, '--context', 'local', '--forward', '--against-cluster'];
    const result = await runCommand(command, [...target, ...argv], { cwd: folder });
    return { ...result, writes: cluster.takeRequests().filter(line => !line.startsWith('GET ')) };
  } finally {
    remove();
  }
}

const review = (index: number): ReturnType<typeof run> => run(index, Review, '-f', 'map.yaml');

describe('--against-cluster with --forward', () => {
  it('compares the webhooks that were called one by one with the dry run of the cluster', async () => {
    const { stdout, exitCode, writes } = await review(0);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('note: the cluster agrees')]);
    // Both chains call both webhooks, with dry runs.
    expect(hooks[0].take().map(({ path, dryRun }) => [path?.split('?')[0], dryRun])).toEqual(
      ['/mutate', '/validate', '/mutate', '/validate'].map(path => [path, true]),
    );
    expect(writes).toEqual([
      'POST /apis/authentication.k8s.io/v1/selfsubjectreviews?dryRun=All 201',
      expect.stringMatching(/^POST \/api\/v1\/namespaces\/team\/configmaps\?.*dryRun=All.* 201$/),
    ]);
  });

  it('names the webhook whose change the cluster does not have, and the one that decides otherwise', async () => {
    const patched = await review(1);
    expect(patched.exitCode).toBe(1);
    expect(patched.stdout).toContain(
      '  cluster: m.example.com changes /metadata/labels/seen, which is "no" in the cluster, and "yes" here\n',
    );
    const denied = await review(2);
    expect(denied.exitCode).toBe(1);
    expect(denied.stdout.replace(/\s+/g, ' ')).toContain(
      ' cluster: v.example.com decides otherwise: the cluster answers 400 "admission webhook \\"v.example.com\\" denied the request without explanation", and here the answer is 201',
    );
  });

  it('is compared with every case of a suite', async () => {
    const { stdout, exitCode } = await run(1, Test, 'a.webhook-test.yaml');
    expect([exitCode, stdout]).toEqual([
      1,
      expect.stringContaining('m.example.com changes /metadata/labels/seen, which is "no" in the cluster'),
    ]);
  });
});
