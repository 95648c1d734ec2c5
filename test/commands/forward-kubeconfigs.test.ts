import { afterAll, beforeAll, expect, it } from 'vitest';
import Review from '../../commands/review.js';
import { makeCertificate } from '../support/certificate-maker.js';
import { configuration, type Hook, node, pod, service, startHook } from '../support/cluster-webhook.js';
import { type ConnectProxy, startConnectProxy } from '../support/connect-proxy.js';
import { type LocalCluster, startLocalCluster } from '../support/local-cluster.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const day = 24 * 3_600_000;
const lifetime = { notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + day) };
const authority = makeCertificate({ isAuthority: true, ...lifetime });
/** Its common name is the user. */
const certificate = makeCertificate({ subject: 'carol', issuer: authority, ...lifetime });

let hook: Hook;
let cluster: LocalCluster;
let proxy: ConnectProxy;

beforeAll(async () => {
  [hook, proxy] = await Promise.all([startHook(), startConnectProxy()]);
  const group = 'rbac.authorization.k8s.io';
  const objects = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } },
    {
      ...{ apiVersion: `${group}/v1`, kind: 'ClusterRoleBinding', metadata: { name: 'carol' } },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup: group, kind: 'User', name: 'carol' }],
    },
    ...[node, configuration('MutatingWebhookConfiguration', 'm', { service: 'web', path: '/mutate', ca: hook.ca })],
    service('web', { type: 'ClusterIP', selector: { app: 'web' }, ports: [{ port: 443, targetPort: 'https', protocol: 'TCP' }] }),
    pod('web-0', { app: 'web' }),
  ];
  cluster = await startLocalCluster(objects, new Map([['team/web-0:8443', hook.address]]), { clientCa: authority.pem });
});

afterAll(async () => {
  await Promise.all([cluster.close(), proxy.close(), hook.close()]);
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const token = { token: 'admin-token' };

/** Text of a kubeconfig with the parts that are given. */
function kubeconfig({ user, server }: { readonly user?: object; readonly server?: object }): string {
  const address = { server: cluster.server.url, 'certificate-authority-data': base64(cluster.ca) };
  return JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Config' },
    ...(server === undefined ? {} : { clusters: [{ name: 'c', cluster: { ...address, ...server } }] }),
    ...(user === undefined ? {} : { users: [{ name: 'u', user }], contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }] }),
  });
}

const plugin = `console.log(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token: 'admin-token' } }))`;

interface Case {
  /** Files beside the manifest, and the value of KUBECONFIG. */
  readonly files: Readonly<Record<string, string>>;
  readonly paths?: string;
  /** Number of connections through the proxy; each protocol and pool has its own. */
  readonly isProxied?: boolean;
}

it.each<[string, () => Case]>([
  ['a token', () => ({ files: { config: kubeconfig({ user: token, server: {} }) } })],
  [
    'a client certificate',
    () => {
      const user = { 'client-certificate-data': base64(certificate.pem), 'client-key-data': base64(certificate.keyPem) };
      return { files: { config: kubeconfig({ user, server: {} }) } };
    },
  ],
  [
    'an exec plugin',
    () => {
      const exec = {
        apiVersion: 'client.authentication.k8s.io/v1',
        command: process.execPath,
        args: ['plugin.cjs'],
        interactiveMode: 'Never',
      };
      return { files: { config: kubeconfig({ user: { exec }, server: {} }), 'plugin.cjs': plugin } };
    },
  ],
  [
    'an HTTP proxy',
    () => ({ files: { config: kubeconfig({ user: token, server: { 'proxy-url': `http://127.0.0.1:${proxy.port}` } }) }, isProxied: true }),
  ],
  [
    'two files',
    () => ({ files: { clusters: kubeconfig({ server: {} }), users: kubeconfig({ user: token }) }, paths: 'missing:clusters:users' }),
  ],
])('review --forward with a kubeconfig with %s', async (_, caseOf) => {
  const { files, paths = 'config', isProxied = false } = caseOf();
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'team', labels: { for: 'web' } } };
  const { folder, remove } = temporaryFolder({ ...files, 'map.yaml': JSON.stringify(map) });
  cluster.takeRequests();
  const before = proxy.connects.length;
  try {
    const env = { KUBECONFIG: paths.replaceAll(':', process.platform === 'win32' ? ';' : ':') };
    const { stdout, stderr, exitCode } = await runCommand(Review, ['--context', 'x', '--forward', '-f', 'map.yaml'], { cwd: folder, env });
    expect([stderr.replace(/^note: user "u" of \S+ runs the exec plugin: \S+ plugin\.cjs\n/, ''), exitCode]).toEqual(['', 0]);
    expect(stdout).toContain("+     seen: 'yes'\n");
    expect(cluster.takeRequests().filter(line => line.includes('portforward'))).toEqual([
      'GET /api/v1/namespaces/team/pods/web-0/portforward?ports=8443 101',
    ]);
    const { host } = new URL(cluster.server.url);
    expect(new Set(proxy.connects.slice(before).map(([address]) => address))).toEqual(new Set(isProxied ? [host] : []));
  } finally {
    remove();
  }
});
