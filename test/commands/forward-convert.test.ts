import { readFileSync } from 'node:fs';
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

beforeAll(async () => {
  const { ca, cert, key } = await issueServingPair({ dns: ['converter.team.svc'], ips: [] }, new Date());
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
  const objects = [
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
  const { hostname: host, port } = new URL(converter.origin);
  cluster = await startLocalCluster(objects, new Map([['team/converter-0:8443', { host, port: Number(port) }]]));
});

afterAll(async () => {
  await cluster.close();
  await converter.close();
});

async function run(argv: readonly string[]): Promise<CommandResult> {
  conversions = 0;
  cluster.takeRequests();
  const target = ['--kubeconfig', cluster.kubeconfig, '--context', 'local'];
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

  it('is named by the error without it', async () => {
    const { stderr, exitCode } = await run(['--to', 'v1beta1']);
    expect(stderr).toMatch(/^error: .*the webhook's service team\/converter is one of the cluster, .*; pass --forward to call it /);
    expect([exitCode, conversions, stderr.trim().split('\n').length]).toEqual([3, 0, 1]);
  });
});
