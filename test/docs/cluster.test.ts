import { execFile } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { issueServingPair } from '../../src/certificates/issue.js';
import { handlers } from '../../src/webhook-server/handlers/handlers.js';
import { startServer } from '../../src/webhook-server/server.js';
import { node, pod, service } from '../support/cluster-webhook.js';
import { kubeconfigText, startLocalCluster } from '../support/local-cluster.js';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const page = readFileSync(path.join(root, 'docs/cluster.md'), 'utf8');

/** A configuration whose webhook is the service team/web. */
function configuration(
  kind: 'Mutating' | 'Validating',
  name: string,
  { ca, resource }: { readonly ca: string; readonly resource: string },
): object {
  const webhookPath = kind === 'Mutating' ? '/mutate' : '/validate';
  return {
    ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: `${kind}WebhookConfiguration`, metadata: { name } },
    webhooks: [
      {
        name: `${name}.example.com`,
        ...{ admissionReviewVersions: ['v1'], sideEffects: 'None', failurePolicy: 'Fail', timeoutSeconds: 5 },
        clientConfig: { service: { namespace: 'team', name: 'web', path: webhookPath }, caBundle: Buffer.from(ca).toString('base64') },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: [resource] }],
      },
    ],
  };
}

/** Hides the times, which are not the same in two runs, and what they align. */
const withoutTimes = (text: string): string => text.replace(/ +\d+\.\d ms/g, ' N ms');

it.skipIf(process.platform === 'win32')(
  'the first commands of docs/cluster.md print what it shows, and write nothing',
  { timeout: 60_000 },
  async () => {
    const [, block = '', shown = ''] = /```sh\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/.exec(page) ?? [];
    expect(block.trimEnd().split('\n').length).toBeLessThanOrEqual(5);
    const { ca, cert, key } = await issueServingPair({ dns: ['web.team.svc'], ips: [] }, new Date());
    const webhook = await startServer({ handler: handlers.demo, cert, key, host: '127.0.0.1', port: 0 });
    const { hostname: host, port } = new URL(webhook.origin);
    const objects = [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } },
      ...[node, configuration('Mutating', 'defaults', { ca, resource: 'pods' })],
      ...[
        configuration('Mutating', 'maps', { ca, resource: 'configmaps' }),
        configuration('Validating', 'limits', { ca, resource: 'pods' }),
      ],
      service('web', { type: 'ClusterIP', selector: { app: 'web' }, ports: [{ port: 443, targetPort: 'https', protocol: 'TCP' }] }),
      pod('web-0', { app: 'web' }),
    ];
    const cluster = await startLocalCluster(objects, new Map([['team/web-0:8443', { host, port: Number(port) }]]));
    const { folder, remove } = temporaryFolder({
      kubeconfig: kubeconfigText({ server: cluster.server.url, ca: cluster.ca, users: { staging: 'admin-token' } }),
      'bin/webhook-cli': `#!/bin/sh\nexec '${process.execPath}' '${path.join(root, 'bin/run.js')}' "$@"\n`,
    });
    try {
      chmodSync(path.join(folder, 'bin/webhook-cli'), 0o755);
      const env = {
        ...process.env,
        PATH: `${path.join(folder, 'bin')}:${process.env['PATH']}`,
        KUBECONFIG: path.join(folder, 'kubeconfig'),
      };
      const { stdout, stderr } = await promisify(execFile)('sh', ['-ec', block], { cwd: folder, env });
      expect([stderr, withoutTimes(stdout)]).toEqual(['', withoutTimes(shown)]);
      expect(cluster.takeRequests().filter(line => !line.startsWith('GET '))).toEqual([]);
    } finally {
      remove();
      await cluster.close();
      await webhook.close();
    }
  },
);
