import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import Apiserver from '../../../commands/apiserver.js';
import Review from '../../../commands/review.js';
import { parseFlag } from '../../../src/cli/options/parse-flag.js';
import { forwardsOf, forwardValue } from '../../../src/cli/work/apiserver/forwards.js';
import { configuration, node, pod, service, startHook } from '../../support/cluster-webhook.js';
import { runCommand } from '../../support/run-command.js';
import { type Closing, startCommand } from '../../support/started-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const opened: Closing[] = [];
const parsed = (text: string) => parseFlag('forward', text, forwardValue);

afterAll(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

describe('apiserver --forward', () => {
  it.each([
    ['shop/web-0:8443=127.0.0.1:9443', 'shop/web-0:8443', '127.0.0.1', 9443],
    ['shop/web-0:8443=[::1]:9443', 'shop/web-0:8443', '::1', 9443],
    ['shop/web.a:0443=localhost:65535', 'shop/web.a:443', 'localhost', 65_535],
  ])('%s maps a port of a pod', (text, from, host, port) => {
    expect([...forwardsOf([parsed(text)])]).toEqual([[from, { host, port }]]);
  });

  it('maps several ports, each to the address that is named last', () => {
    const mappings = ['a/b:1=h:1', 'a/b:2=h:2', 'a/b:1=h:3'];
    expect([...forwardsOf(mappings.map(parsed))]).toEqual([
      ['a/b:1', { host: 'h', port: 3 }],
      ['a/b:2', { host: 'h', port: 2 }],
    ]);
  });

  it.each([
    'web-0:8443=127.0.0.1:9443',
    'shop/web-0=127.0.0.1:9443',
    'shop/web-0:https=127.0.0.1:9443',
    'shop/web-0:8443=127.0.0.1',
    'shop/web-0:8443=:9443',
    'shop/web-0:8443=::1:9443',
    'shop/web-0:8443=https://127.0.0.1:9443',
    'shop/web-0:0=127.0.0.1:9443',
    'shop/web-0:8443=127.0.0.1:65536',
    'shop/web-0:65536=127.0.0.1:9443',
    'a/b/c:8443=127.0.0.1:9443',
    '',
  ])('is refused as %j', async text => {
    const { stderr, exitCode } = await runCommand(Apiserver, [`--forward=${text}`, '--', 'true']);
    expect([stderr, exitCode]).toEqual([`error: invalid --forward ${JSON.stringify(text)}: expected NAMESPACE/POD:PORT=HOST:PORT\n`, 2]);
  });

  it('lets review --forward call a webhook that listens at the address', async () => {
    const hook = await startHook();
    opened.push(hook);
    const state = [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } },
      ...[node, configuration('ValidatingWebhookConfiguration', 'web', { service: 'web', path: '/validate', ca: hook.ca })],
      service('web', { type: 'ClusterIP', selector: { app: 'web' }, ports: [{ port: 443, targetPort: 'https', protocol: 'TCP' }] }),
      pod('web-0', { app: 'web' }),
    ];
    const { folder, remove } = temporaryFolder({
      'state.yaml': state.map(object => JSON.stringify(object)).join('\n---\n'),
      'map.yaml': '{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: team, labels: {for: web}}}',
    });
    opened.push({ close: remove });
    const { host, port } = hook.address;
    const argv = ['--state', 'state.yaml', '--kubeconfig', 'kubeconfig', '--forward', `team/web-0:8443=${host}:${port}`];
    await startCommand(Apiserver, argv, { cwd: folder, opened }, [/^(https:.*)$/m, /^(kubeconfig: )/m]);
    const target = ['--kubeconfig', path.join(folder, 'kubeconfig'), '--forward'];
    const { stderr, exitCode } = await runCommand(Review, [...target, '-f', 'map.yaml'], { cwd: folder });
    expect([stderr, exitCode]).toEqual(['', 0]);
    expect(hook.take().map(({ path: called, dryRun }) => [called, dryRun])).toEqual([['/validate?timeout=10s', true]]);
  });
});
