import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import Review from '../../commands/review.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import { configuration, type Hook, node, pod, service, startHook } from '../support/cluster-webhook.js';
import { startConnectProxy } from '../support/connect-proxy.js';
import { type LocalCluster, startLocalCluster } from '../support/local-cluster.js';
import { type CommandResult, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Number of the object during whose review the first pod dies. */
const dies = 5;
const count = 12;

interface Dying {
  readonly first: Hook;
  readonly second: Hook;
  readonly cluster: LocalCluster;
}

/** Runs with two pods behind one service; `die` is called at a review of the first one, and returns whether it is answered. */
async function withTwoPods<T>(die: (dying: Dying) => Promise<boolean>, work: (dying: Dying) => Promise<T>): Promise<T> {
  const pair = await issueServingPair({ dns: ['web.team.svc'], ips: [] }, new Date());
  let reviews = 0;
  const onReview = async (): Promise<boolean> => {
    reviews += 1;
    return reviews === dies ? die(dying) : true;
  };
  const [first, second] = await Promise.all([startHook({ pair, onReview }), startHook({ pair })]);
  const objects = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } },
    ...[node, configuration('ValidatingWebhookConfiguration', 'web', { service: 'web', path: '/validate', ca: pair.ca })],
    service('web', { type: 'ClusterIP', selector: { app: 'web' }, ports: [{ port: 443, targetPort: 'https', protocol: 'TCP' }] }),
    ...[pod('web-0', { app: 'web' }), pod('web-1', { app: 'web' })],
  ];
  const forwards = new Map([
    ['team/web-0:8443', first.address],
    ['team/web-1:8443', second.address],
  ]);
  const dying: Dying = { first, second, cluster: await startLocalCluster(objects, forwards) };
  try {
    return await work(dying);
  } finally {
    await dying.cluster.close();
    await Promise.all([first.close(), second.close()]);
  }
}

/** `grace`: seconds for which the pod is terminating; 0 removes it. */
async function deletePod({ server, ca }: LocalCluster, name: string, grace: number): Promise<void> {
  const sent = request(`${server.url}/api/v1/namespaces/team/pods/${name}?gracePeriodSeconds=${grace}`, {
    ...{ method: 'DELETE', ca, headers: { Authorization: 'Bearer admin-token' } },
  }).end();
  const [{ statusCode }] = await once(sent, 'response');
  expect(statusCode).toBe(200);
}

async function reviewMany(
  { cluster: { kubeconfig } }: { readonly cluster: Pick<LocalCluster, 'kubeconfig'> },
  argv: readonly string[] = [],
): Promise<CommandResult> {
  const map = (name: string): object => ({
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'team', labels: { for: 'web' } } },
  });
  const maps = Array.from({ length: count }, (_, i) => JSON.stringify(map(`a${i}`))).join('\n---\n');
  const { folder, remove } = temporaryFolder({ 'maps.yaml': maps });
  const target = ['--kubeconfig', kubeconfig, '--context', 'local', '--forward'];
  try {
    return await runCommand(Review, [...target, '-o', 'name', '-f', 'maps.yaml', ...argv], { cwd: folder });
  } finally {
    remove();
  }
}

const names = Array.from({ length: count }, (_, i) => `a${i}`);

describe('a pod that dies in the middle of several objects', () => {
  it.each([
    ['is terminating, and closes its connections', 30],
    ['is gone', 0],
  ])('is replaced by another ready pod when it %s', async (_, grace) => {
    const die = async ({ cluster, first }: Dying): Promise<boolean> => {
      await deletePod(cluster, 'web-0', grace);
      first.closeConnections();
      return false;
    };
    await withTwoPods(die, async dying => {
      const { stdout, stderr, exitCode } = await reviewMany(dying);
      expect([stderr, exitCode]).toEqual([`${count} calls: ${count} allowed, 0 refused\n`, 0]);
      expect(stdout.match(/a\d+/g)).toEqual(names);
      // The review that the first pod did not answer is sent again.
      expect([dying.first.take().length, dying.second.take().length]).toEqual([dies, count - dies + 1]);
      expect([dying.first.connections, dying.second.connections]).toEqual([1, 1]);
    });
  });

  it('is replaced when its connections end between two reviews', async () => {
    const die = async ({ cluster, first }: Dying): Promise<boolean> => {
      await deletePod(cluster, 'web-0', 0);
      // After the answer.
      setImmediate(() => setImmediate(first.closeConnections));
      return true;
    };
    await withTwoPods(die, async dying => {
      const { stdout, stderr, exitCode } = await reviewMany(dying);
      expect([stderr, exitCode]).toEqual([`${count} calls: ${count} allowed, 0 refused\n`, 0]);
      expect(stdout.match(/a\d+/g)).toEqual(names);
      const seen = [dying.first.take().length, dying.second.take().length];
      expect(seen[0]).toBeGreaterThanOrEqual(dies);
      expect(seen[1]).toBeGreaterThanOrEqual(1);
    });
  });

  it.each([
    ['is replaced when its node and all connections to it are gone', [], { error: '', code: 0, second: count - dies + 1 }],
    [
      'is not replaced then for a review that may act',
      ['--dry-run', 'none'],
      { error: 'closed the connection to port 8443 of pod team/web-0', code: 3, second: count - dies },
    ],
  ])('%s', async (_, argv, { error, code, second }) => {
    const proxy = await startConnectProxy();
    const die = async ({ cluster }: Dying): Promise<boolean> => {
      await deletePod(cluster, 'web-0', 0);
      proxy.cut();
      return false;
    };
    await withTwoPods(die, async dying => {
      const given = JSON.parse(readFileSync(dying.cluster.kubeconfig, 'utf8'));
      given.clusters[0].cluster['proxy-url'] = `http://127.0.0.1:${proxy.port}`;
      const { folder, remove } = temporaryFolder({ kubeconfig: JSON.stringify(given) });
      try {
        const { stderr, exitCode } = await reviewMany({ cluster: { kubeconfig: path.join(folder, 'kubeconfig') } }, argv);
        expect([exitCode, stderr]).toEqual([code, expect.stringContaining(error)]);
        expect([dying.first.take().length, dying.second.take().length]).toEqual([dies, second]);
      } finally {
        remove();
        await proxy.close();
      }
    });
  });

  it('is not replaced for a review that may act: the webhook could act twice', async () => {
    const die = async ({ cluster, first }: Dying): Promise<boolean> => {
      await deletePod(cluster, 'web-0', 0);
      first.closeConnections();
      return false;
    };
    await withTwoPods(die, async dying => {
      const { exitCode } = await reviewMany(dying, ['--dry-run', 'none']);
      expect(exitCode).not.toBe(0);
      // The reviews after it go to the other pod.
      expect([dying.first.take().length, dying.second.take().length]).toEqual([dies, count - dies]);
    });
  });

  it('is called again while it is ready, and its failure is that of the webhook', async () => {
    const die = async ({ first }: Dying): Promise<boolean> => {
      first.closeConnections();
      return false;
    };
    await withTwoPods(die, async dying => {
      const { exitCode } = await reviewMany(dying);
      expect(exitCode).not.toBe(0);
      expect([dying.first.take().length, dying.second.take().length]).toEqual([count, 0]);
    });
  });
});
