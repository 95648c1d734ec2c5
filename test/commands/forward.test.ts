import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import CertsVerify from '../../commands/certs/verify.js';
import Review from '../../commands/review.js';
import Test from '../../commands/test.js';
import { configuration, type Hook, node, pod, service, startHook } from '../support/cluster-webhook.js';
import { type LocalCluster, startLocalCluster } from '../support/local-cluster.js';
import { type CommandClass, type CommandResult, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** May read what a review needs, and forward no ports. */
const reader = [
  {
    ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'reader' } },
    rules: [
      {
        apiGroups: ['*'],
        resources: [
          'namespaces',
          'services',
          'pods',
          'configmaps',
          'mutatingwebhookconfigurations',
          'validatingwebhookconfigurations',
          'mutatingadmissionpolicies',
          'mutatingadmissionpolicybindings',
          'validatingadmissionpolicies',
          'validatingadmissionpolicybindings',
          'resourcequotas',
          'customresourcedefinitions',
          'apiservices',
        ],
        verbs: ['get', 'list'],
      },
    ],
  },
  {
    ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata: { name: 'reader' } },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reader' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
  },
];

function objects({ ca }: Hook): object[] {
  const https = [{ port: 443, targetPort: 'https', protocol: 'TCP' }];
  const validating = (name: string, more: Partial<Parameters<typeof configuration>[2]> = {}) =>
    configuration('ValidatingWebhookConfiguration', name, { service: name, path: '/validate', ca, ...more });
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } },
    node,
    ...reader,
    configuration('MutatingWebhookConfiguration', 'm', { service: 'web', path: '/mutate', ca }),
    validating('web'),
    service('web', { type: 'ClusterIP', selector: { app: 'web' }, ports: https }),
    pod('web-0', { app: 'web' }),
    validating('external'),
    service('external', { type: 'ExternalName', externalName: 'hooks.example.com', ports: [] }),
    validating('unselected'),
    service('unselected', { type: 'ClusterIP', ports: https }),
    validating('idle'),
    service('idle', { type: 'ClusterIP', selector: { app: 'idle' }, ports: https }),
    pod('idle-0', { app: 'idle' }, { isReady: false }),
    pod('idle-1', { app: 'idle' }, { phase: 'Pending' }),
    validating('empty'),
    service('empty', { type: 'ClusterIP', selector: { app: 'empty' }, ports: https }),
    validating('closed'),
    service('closed', { type: 'ClusterIP', selector: { app: 'closed' }, ports: [{ port: 443, targetPort: 9999 }] }),
    pod('closed-0', { app: 'closed' }),
    validating('other-port', { port: 8443 }),
    service('other-port', { type: 'ClusterIP', selector: { app: 'web' }, ports: https }),
    validating('unnamed'),
    service('unnamed', { type: 'ClusterIP', selector: { app: 'web' }, ports: [{ port: 443, targetPort: 'grpc' }] }),
    validating('missing'),
  ];
}

const map = (name: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'team', labels: { for: name } } });

let hook: Hook;
let cluster: LocalCluster;

beforeAll(async () => {
  hook = await startHook();
  cluster = await startLocalCluster(objects(hook), new Map([['team/web-0:8443', hook.address]]));
});

afterAll(async () => {
  await cluster.close();
  await hook.close();
});

beforeEach(() => {
  hook.take();
  cluster.takeRequests();
  hook.connections = 0;
});

async function run(
  command: CommandClass,
  argv: readonly string[],
  files: Record<string, string>,
  context = 'local',
): Promise<CommandResult> {
  const { folder, remove } = temporaryFolder(files);
  try {
    return await runCommand(command, ['--kubeconfig', cluster.kubeconfig, '--context', context, ...argv], { cwd: folder });
  } finally {
    remove();
  }
}

const review = (name: string, argv: readonly string[] = ['--forward'], context?: string): Promise<CommandResult> =>
  run(Review, [...argv, '-f', 'map.yaml'], { 'map.yaml': map(name) }, context);

describe('review --forward', () => {
  it('calls the webhooks of a service in the cluster as the API server does, as dry runs, and creates nothing', async () => {
    const { stdout, stderr, exitCode } = await review('web');
    expect([stderr, exitCode]).toEqual(['', 0]);
    const called = stdout.split('\n').filter(line => / m\.example| web\.example/.test(line));
    expect(
      called.map(line =>
        line
          .replace(/\d+\.\d ms/, 'N ms')
          .trim()
          .replace(/ +/g, ' '),
      ),
    ).toEqual([
      'mutating m.example.com allowed, changed the object N ms',
      'validating web.example.com allowed N ms',
      'changes by m.example.com:',
    ]);
    expect(stdout).toContain("+     seen: 'yes'\n");
    const same = { host: 'web.team.svc:443', userAgent: 'kube-apiserver-admission', serverName: 'web.team.svc', dryRun: true };
    expect(hook.take()).toEqual([
      { ...same, path: '/mutate?timeout=10s' },
      { ...same, path: '/validate?timeout=10s' },
    ]);
    const sent = cluster.takeRequests();
    expect(sent.filter(line => !line.startsWith('GET '))).toEqual([]);
    expect(sent.filter(line => line.includes('portforward'))).toEqual([
      'GET /api/v1/namespaces/team/pods/web-0/portforward?ports=8443 101',
    ]);
    expect(hook.connections).toBe(1);
  });

  it('sends many objects over one connection', async () => {
    const many = Array.from({ length: 50 }, (_, i) => map('web').replace('"a"', `"a${i}"`)).join('\n---\n');
    const { exitCode } = await run(Review, ['--forward', '-o', 'name', '-f', 'maps.yaml'], { 'maps.yaml': many });
    expect([exitCode, hook.take().length, hook.connections]).toEqual([0, 100, 1]);
  });

  it.each([
    ['external', 3, 'error: service team/external is an ExternalName (hooks.example.com), which has no pods to forward to; pass --service'],
    [
      'unselected',
      3,
      "error: service team/unselected has no selector: its endpoints are outside of the cluster's pods, and cannot be forwarded to",
    ],
    [
      'idle',
      3,
      'error: service team/idle has no ready pod: idle-0 (not ready: containers with unready status: [c]), idle-1 (Pending); pass',
    ],
    ['empty', 3, 'error: no pod in namespace team matches the selector app=empty of service team/empty; pass'],
    ['unnamed', 3, 'error: service team/unnamed has no ready pod: web-0 (no container port is named "grpc"); pass'],
    ['missing', 3, `error: the webhook's service team/missing does not exist in the cluster of context "local"; pass`],
    [
      'closed',
      4,
      'error: port 9999 of pod team/closed-0 cannot be reached: error forwarding port 9999 to pod team/closed-0, uid : failed to connect to localhost:9999',
    ],
  ])('ends with one sentence for the service %s', async (name, code, message) => {
    const { stderr, exitCode } = await review(name);
    expect(stderr.slice(0, message.length)).toBe(message);
    expect([exitCode, stderr.trim().split('\n').length, hook.take().length]).toEqual([code, 1, 0]);
  });

  it('is refused by the API server for a port that the service does not have', async () => {
    const { stdout, stderr, exitCode } = await review('other-port');
    expect(stdout).toContain('/validate?timeout=10s": no service port 8443 found for service "other-port"\n');
    expect([stderr, exitCode, hook.take().length]).toEqual(['', 4, 0]);
  });

  it('does not take a service that exists only in --state for one of the cluster', async () => {
    const own = [
      configuration('ValidatingWebhookConfiguration', 'local', { service: 'local', path: '/validate', ca: hook.ca }),
      service('local', { type: 'ClusterIP', selector: { app: 'web' }, ports: [{ port: 443, targetPort: 8443 }] }),
    ];
    const files = { 'map.yaml': map('local'), 'state.yaml': own.map(each => JSON.stringify(each)).join('\n---\n') };
    const { stderr, exitCode } = await run(Review, ['--forward', '--state', 'state.yaml', '-f', 'map.yaml'], files);
    const message =
      'error: the webhook\'s service team/local does not exist in the cluster of context "local"; pass --service team/local=URL';
    expect([stderr.slice(0, message.length), exitCode, hook.take().length]).toEqual([message, 3, 0]);
  });

  it('is one sentence for an API server that is closed', async () => {
    const closing = await startLocalCluster(objects(hook), new Map([['team/web-0:8443', hook.address]]));
    const { folder, remove } = temporaryFolder({ 'map.yaml': map('web'), kubeconfig: readFileSync(closing.kubeconfig) });
    await closing.close();
    const target = ['--kubeconfig', 'kubeconfig', '--context', 'local', '--forward', '-f', 'map.yaml'];
    try {
      const { stderr, exitCode } = await runCommand(Review, target, { cwd: folder });
      expect([exitCode, stderr]).toEqual([
        3,
        `error: the API server ${closing.server.url} of context "local" cannot be reached: connection refused; check that the cluster is running and the address is right\n`,
      ]);
    } finally {
      remove();
    }
  });

  it('says what to grant a user who may read, but not forward', async () => {
    const { stderr, exitCode } = await review('web', ['--forward'], 'jane');
    expect(stderr).toBe(
      'error: user "jane" of context "jane" may not create pods/portforward in namespace team: pods "web-0" is forbidden: User "jane" cannot create resource "pods/portforward" in API group "" in the namespace "team"; grant the user the verb create of pods/portforward in namespace team\n',
    );
    expect(exitCode).toBe(3);
  });

  it('lets webhooks act only where --dry-run none is typed, not where a found file says so', async () => {
    const acted = await review('web', ['--forward', '--dry-run', 'none']);
    expect([acted.exitCode, hook.take().map(({ dryRun }) => dryRun)]).toEqual([0, [false, false]]);
    await run(Review, ['--forward', '-f', 'map.yaml'], { 'map.yaml': map('web'), 'webhook-cli.yaml': 'dry-run: none\n' });
    expect(hook.take().map(({ dryRun }) => dryRun)).toEqual([true, true]);
  });

  it('is an error without a cluster, and with the webhook of --url', async () => {
    const alone = await runCommand(Review, ['--forward', '-f', 'fixtures/manifests/pod-sidecar.yaml', '--state', 'fixtures/cluster'], {});
    expect([alone.stderr, alone.exitCode]).toEqual(['error: --forward needs a cluster; pass --context NAME, or --kubeconfig PATH\n', 2]);
    const url = await review('web', ['--forward', '--url', 'https://127.0.0.1:1/']);
    expect([url.stderr, url.exitCode]).toEqual(['error: --forward calls the webhooks of the cluster, and has no effect with --url\n', 2]);
  });
});

describe('a service of the cluster without --forward', () => {
  it('is an input error that names the flags, and is not looked up', async () => {
    const { stderr, exitCode } = await review('web', []);
    expect(stderr).toBe(
      "error: the webhook's service team/web is one of the cluster, which is not reachable by its name from here; pass --forward to call it through the API server, or --service team/web=https://127.0.0.1:8443 to call a webhook that runs here\n",
    );
    expect(exitCode).toBe(3);
  });

  it('is called where --service or --resolve say, also with --forward', async () => {
    const { host, port } = hook.address;
    for (const argv of [
      ['--service', `team/web=https://${host}:${port}`],
      ['--resolve', `web.team.svc:443:${host}`],
    ]) {
      const isService = argv[0] === '--service';
      const { exitCode } = await review('web', [...argv, '--forward']);
      // Nothing listens at port 443 here.
      expect([isService, exitCode]).toEqual([isService, isService ? 0 : 4]);
      expect(cluster.takeRequests().filter(line => line.includes('portforward'))).toEqual([]);
    }
  });
});

describe('test --forward', () => {
  it('calls the webhooks of the cluster for the cases of a suite', async () => {
    const suite = `apiVersion: webhook-cli.dev/v1alpha1
kind: Suite
cases:
- name: labels
  filename: map.yaml
  expect: {allowed: true}
`;
    const { stdout, exitCode } = await run(Test, ['--forward', 'a.webhook-test.yaml'], {
      'map.yaml': map('web'),
      'a.webhook-test.yaml': suite,
    });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('1 passed')]);
    expect(hook.take().map(({ dryRun }) => dryRun)).toEqual([true, true]);
  });
});

describe('certs verify --forward', () => {
  it('checks the certificates that the pods present', async () => {
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const { stdout, exitCode } = await run(CertsVerify, ['--forward', '--at', at], {});
    const lines = stdout.split('\n').filter(line => /^\S/.test(line) && !line.includes('team.svc:8443'));
    expect(lines.filter(line => line.includes('web.team.svc'))).toEqual([
      expect.stringMatching(/^ok .* webhook m\.example\.com/),
      expect.stringMatching(/^ok .* webhook web\.example\.com/),
    ]);
    expect(stdout).toContain('service team/external is an ExternalName (hooks.example.com)');
    expect(exitCode).toBe(4);
  });
});
