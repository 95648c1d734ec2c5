import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import Convert from '../../commands/convert.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import { handlers } from '../../src/webhook-server/handlers/handlers.js';
import { offers } from '../../src/webhook-server/handlers/offers.js';
import { type RunningServer, startServer } from '../../src/webhook-server/server.js';
import { node, pod, service } from '../support/cluster-webhook.js';
import { type LocalCluster, startLocalCluster } from '../support/local-cluster.js';
import { type CommandResult, runCommand } from '../support/run-command.js';

let converter: RunningServer;
let cluster: LocalCluster;
let conversions = 0;
/** What a pod of the service needs, but its address. */
let pair: Awaited<ReturnType<typeof issueServingPair>>;
let objects: readonly object[];

beforeAll(async () => {
  pair = await issueServingPair({ dns: ['converter.team.svc'], ips: [] }, new Date());
  const { ca, cert, key } = pair;
  const convert: typeof offers = (object, to) => {
    conversions += 1;
    return offers(object, to);
  };
  converter = await startServer({ handler: handlers.allow, convert, cert, key, host: '127.0.0.1', port: 0 });
  const definition = parse(readFileSync('fixtures/conversion/offers.yaml', 'utf8'));
  definition.spec.conversion.webhook.clientConfig = {
    service: { namespace: 'team', name: 'converter', path: '/convert' },
    caBundle: Buffer.from(ca).toString('base64'),
  };
  objects = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
    ...[node, definition],
    service('converter', {
      type: 'ClusterIP',
      selector: { app: 'converter' },
      ports: [{ port: 443, targetPort: 'https', protocol: 'TCP' }],
    }),
    pod('converter-0', { app: 'converter' }),
  ];
  cluster = await startLocalCluster(objects, new Map([['team/converter-0:8443', addressOf(converter)]]));
});

afterAll(async () => {
  await cluster.close();
  await converter.close();
});

const addressOf = ({ port }: Pick<RunningServer, 'port'>): { host: string; port: number } => ({ host: '127.0.0.1', port });

async function run(argv: readonly string[], { kubeconfig, takeRequests } = cluster): Promise<CommandResult> {
  conversions = 0;
  takeRequests();
  const target = ['--kubeconfig', kubeconfig, '--context', 'local'];
  return runCommand(Convert, [...target, '-f', 'fixtures/conversion/offer.yaml', ...argv]);
}

describe('convert --forward', () => {
  it('converts with the webhook that runs in the cluster, through one port of its pod', async () => {
    const { stdout, stderr, exitCode } = await run(['--forward', '--to', 'all', '-o', 'yaml']);
    expect([stderr, exitCode]).toEqual(['', 0]);
    expect(stdout).toContain('  price: 3.50 EUR\n');
    expect(stdout).toContain('  cents: 350\n');
    expect(conversions).toBe(2);
    const sent = cluster.takeRequests();
    expect(sent.filter(line => !line.startsWith('GET '))).toEqual([]);
    expect(sent.filter(line => line.includes('portforward'))).toEqual([
      'GET /api/v1/namespaces/team/pods/converter-0/portforward?ports=8443 101',
    ]);
  });

  it('goes on with another pod when one is deleted before it answers', async () => {
    // Deletes its own pod when it is asked, and closes the connection.
    const dying = createServer({ cert: pair.cert, key: pair.key }, socket => {
      socket
        .on('error', () => undefined)
        .once('data', async () => {
          const path = '/api/v1/namespaces/team/pods/a-converter?gracePeriodSeconds=0';
          const headers = { Authorization: 'Bearer admin-token' };
          const sent = request(`${other.server.url}${path}`, { method: 'DELETE', ca: other.ca, headers }).end();
          await once(sent, 'response');
          socket.destroy();
        });
    });
    await new Promise<void>(resolve => dying.listen(0, '127.0.0.1', resolve));
    const { port } = dying.address() as AddressInfo;
    const forwards = new Map([
      ['team/converter-0:8443', addressOf(converter)],
      ['team/a-converter:8443', addressOf({ port })],
    ]);
    const other = await startLocalCluster([...objects, pod('a-converter', { app: 'converter' })], forwards);
    try {
      const { stdout, stderr, exitCode } = await run(['--forward', '--to', 'all', '-o', 'yaml'], other);
      expect([stderr, exitCode, conversions]).toEqual(['', 0, 2]);
      expect(stdout).toContain('  cents: 350\n');
      const forwarded = other.takeRequests().filter(line => line.includes('portforward'));
      expect(forwarded.map(line => /pods\/([^/]+)/.exec(line)?.[1])).toEqual(['a-converter', 'converter-0']);
    } finally {
      await other.close();
      await new Promise<void>(resolve => dying.close(() => resolve()));
    }
  });

  it('is named by the error without it', async () => {
    const { stderr, exitCode } = await run(['--to', 'v1beta1']);
    expect(stderr).toMatch(/^error: .*the webhook's service team\/converter is one of the cluster, .*; pass --forward to call it /);
    expect([exitCode, conversions, stderr.trim().split('\n').length]).toEqual([3, 0, 1]);
  });
});
