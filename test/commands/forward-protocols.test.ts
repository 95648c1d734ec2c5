import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Review from '../../commands/review.js';
import { connectToCluster } from '../../src/cluster/connect.js';
import type { ClusterClient } from '../../src/cluster/http/cluster-client.js';
import { podStreams } from '../../src/cluster/port-forward/open-pod-stream.js';
import type { PodStream } from '../../src/cluster/port-forward/pod-stream.js';
import { configuration, type Hook, node, pod, service, startHook } from '../support/cluster-webhook.js';
import { type LocalCluster, startLocalCluster } from '../support/local-cluster.js';
import { type CommandResult, runCommand } from '../support/run-command.js';
import { serverWith } from '../support/server.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const group = 'rbac.authorization.k8s.io';
const readable = [
  ...['namespaces', 'services', 'pods', 'configmaps', 'resourcequotas', 'customresourcedefinitions', 'apiservices'],
  ...['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
  ...['mutating', 'validating'].flatMap(kind => [`${kind}admissionpolicies`, `${kind}admissionpolicybindings`]),
];

/** A user who may read what a review needs, and these verbs of pods/portforward. */
const user = (name: string, verbs: readonly string[]): object[] => [
  {
    ...{ apiVersion: `${group}/v1`, kind: 'ClusterRole', metadata: { name } },
    rules: [
      { apiGroups: ['*'], resources: readable, verbs: ['get', 'list'] },
      { apiGroups: [''], resources: ['pods/portforward'], verbs },
    ],
  },
  {
    ...{ apiVersion: `${group}/v1`, kind: 'ClusterRoleBinding', metadata: { name } },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name },
    subjects: [{ apiGroup: group, kind: 'User', name }],
  },
];

const users = ['creator', 'getter'];

async function startCluster(hook: Hook, gates: readonly string[]): Promise<LocalCluster> {
  const objects = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } },
    ...[node, ...user('creator', ['create']), ...user('getter', ['get'])],
    configuration('MutatingWebhookConfiguration', 'm', { service: 'web', path: '/mutate', ca: hook.ca }),
    service('web', { type: 'ClusterIP', selector: { app: 'web' }, ports: [{ port: 443, targetPort: 'https', protocol: 'TCP' }] }),
    pod('web-0', { app: 'web' }),
  ];
  const forwards = new Map([
    ['team/web-0:8443', hook.address],
    ['team/web-0:1', { host: '127.0.0.1', port: port(endless) }],
    ['team/web-0:2', { host: '127.0.0.1', port: port(deaf) }],
  ]);
  return startLocalCluster(objects, forwards, { server: serverWith(gates), users });
}

const port = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

/** Bytes that the endless server has sent to the system. */
let sent = 0;
const sockets = new Set<Socket>();
/** Sends as long as it is let; counts what it has sent. */
const endless = createServer(socket => {
  sockets.add(socket.on('error', () => undefined));
  const count = (): void => {
    sent += 65_536;
  };
  const more = (): void => {
    while (socket.writable && socket.write(Buffer.alloc(65_536), count));
  };
  socket.on('drain', more).resume();
  more();
});
/** Reads nothing. */
const deaf = createServer({ pauseOnConnect: true }, socket => void sockets.add(socket.on('error', () => undefined)));

/** Protocols, with the API server and the user that lead to each. */
const protocols = [
  { name: 'SPDY in a WebSocket', gates: [], context: 'local', requests: ['GET 101'] },
  { name: 'SPDY', gates: [], context: 'creator', requests: ['GET 403', 'POST 101'] },
  { name: 'the channels of a kubelet', gates: ['PortForwardWebsockets=false'], context: 'local', requests: ['GET 101'] },
];

let hook: Hook;
const clusters = new Map<string, LocalCluster>();

beforeAll(async () => {
  hook = await startHook();
  for (const server of [endless, deaf]) await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  for (const gates of [[], ['PortForwardWebsockets=false']]) clusters.set(gates.join(), await startCluster(hook, gates));
});

afterAll(async () => {
  for (const cluster of clusters.values()) await cluster.close();
  for (const socket of sockets) socket.destroy();
  for (const server of [endless, deaf]) await new Promise<void>(resolve => server.close(() => resolve()));
  await hook.close();
});

function clusterWith(gates: readonly string[]): LocalCluster {
  const cluster = clusters.get(gates.join());
  if (cluster === undefined) throw new Error('no such cluster');
  cluster.takeRequests();
  return cluster;
}

async function review({ kubeconfig }: LocalCluster, context: string, data: string): Promise<CommandResult> {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'team', labels: { for: 'web' } }, data: { data } };
  const { folder, remove } = temporaryFolder({ 'map.yaml': JSON.stringify(map) });
  try {
    return await runCommand(Review, ['--forward', '--kubeconfig', kubeconfig, '--context', context, '-f', 'map.yaml'], { cwd: folder });
  } finally {
    remove();
  }
}

function connected({ kubeconfig }: LocalCluster, context: string): ClusterClient {
  return connectToCluster({
    ...{ context, kubeconfig, timeoutMs: 5000, env: {}, cwd: '/', now: () => new Date(), isTerminal: false, onStderr: () => undefined },
  });
}

const forwarded = (cluster: LocalCluster): string[] =>
  cluster
    .takeRequests()
    .filter(line => line.includes('portforward'))
    .map(line => line.replace(/ \S+ /, ' '));

/** Waits until a number has not changed for some rounds of the event loop. */
async function settled(read: () => number): Promise<number> {
  for (let same = 0, last = -1; same < 20; ) {
    await new Promise(resolve => setTimeout(resolve, 10));
    same = read() === last ? same + 1 : 0;
    last = read();
  }
  return read();
}

/** More than the buffers of the sockets between both ends. */
const manyBytes = 64 * 1024 * 1024;

describe.each(protocols)('--forward over $name', ({ gates, context, requests }) => {
  it.each([10, 900_000])('calls the webhook with an object of %d bytes', async size => {
    const cluster = clusterWith(gates);
    const { stderr, exitCode, stdout } = await review(cluster, context, 'a'.repeat(size));
    expect([stderr, exitCode]).toEqual(['', 0]);
    expect(stdout).toContain("+     seen: 'yes'\n");
    expect(forwarded(cluster)).toEqual(requests);
  });

  it('makes a pod wait whose answers are not read, and sends no more than it reads', async () => {
    const cluster = connected(clusterWith(gates), context);
    const open = podStreams(cluster);
    const streams: PodStream[] = [];
    try {
      streams.push(await open({ namespace: 'team', pod: 'web-0', port: 1 }));
      streams.push(await open({ namespace: 'team', pod: 'web-0', port: 2 }));
      const [reading, writing] = streams;
      sent = 0;
      expect(await settled(() => sent)).toBeLessThan(manyBytes);
      // It goes on where it is read.
      const before = sent;
      await new Promise<void>(resolve => {
        let read = 0;
        reading?.on('data', (bytes: Buffer) => {
          read += bytes.length;
          if (read > manyBytes) resolve();
        });
      });
      reading?.pause();
      expect(sent).toBeGreaterThan(before);
      let written = 0;
      const write = (): void => {
        if (written < manyBytes) writing?.write(Buffer.alloc(1024 * 1024), () => write());
        written += 1024 * 1024;
      };
      write();
      expect(await settled(() => written)).toBeLessThan(manyBytes);
    } finally {
      for (const stream of streams) stream.destroy();
      await cluster.close();
    }
  });
});

describe('the rights to forward', () => {
  it('are those to create, also for a request that starts with a GET', async () => {
    const cluster = clusterWith([]);
    const { stderr, exitCode } = await review(cluster, 'getter', 'a');
    expect(stderr).toMatch(
      /^error: user "getter" of context "getter" may not create pods\/portforward in namespace team: .* grant the user the verb create /,
    );
    expect([exitCode, forwarded(cluster)]).toEqual([3, ['GET 403', 'POST 403']]);
  });
});
