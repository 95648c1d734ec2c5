import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import Apiserver from '../../commands/apiserver.js';
import Envtest from '../../commands/envtest.js';
import Playground from '../../commands/playground.js';
import Test from '../../commands/test.js';
import { startControlPlane, writeMaterials } from '../envtest/support/control-plane.js';
import { runCommand } from '../support/run-command.js';
import { type Closing, startCommand } from '../support/started-command.js';
import { manifestsOf, quotingState, searchFor } from './planted-manifests.js';
import { plantedSecrets } from './planted-secrets.js';
import { folderWith, writtenIn } from './written-files.js';

const planted = plantedSecrets(8);
const foundIn = searchFor(planted);
const manifests = manifestsOf(planted) as readonly { readonly kind: string; readonly metadata: { readonly name: string } }[];
const texts = planted.flatMap(({ data }) => data ?? []);
/** The texts as browsers and other clients put them into an address. */
const queries = texts.flatMap(text => [`labelSelector=${encodeURIComponent(text)}`, `${new URLSearchParams({ labelSelector: text })}`]);
const resources: Readonly<Record<string, string>> = { Pod: 'pods', ConfigMap: 'configmaps', Secret: 'secrets' };
const pathOf = ({ kind }: { readonly kind: string }): string => `/api/v1/namespaces/default/${resources[kind]}`;
const opened: Closing[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

describe('300 planted secrets of 40 kinds', { timeout: 120_000 }, () => {
  it('are not in the log of apiserver, neither from bodies nor from addresses', async () => {
    let output = '';
    const take = (text: string): void => {
      output += text;
    };
    const folder = folderWith({ 'policy.json': quotingState }, opened);
    const argv = ['-o', 'json', '--kubeconfig', 'kubeconfig', '--state', 'policy.json'];
    const options = { cwd: folder, opened, onStdout: take, onStderr: take };
    const [url = ''] = await startCommand(Apiserver, argv, options, [/"url":"([^"]*)"/]);
    const kubeconfig = readFileSync(path.join(folder, 'kubeconfig'), 'utf8');
    const token = /token: "?([^"\s]+)/.exec(kubeconfig)?.[1] ?? '';
    const statuses = await Promise.all(manifests.map(object => called(`${url}${pathOf(object)}`, { token, body: JSON.stringify(object) })));
    await called(`${url}/version`, { token: planted[0]?.secret ?? '' });
    for (const query of queries) await called(`${url}/api/v1/pods?${query}`, { token });
    expect([new Set(statuses), output.split('"path"').length > queries.length, foundIn(output)]).toEqual([new Set([422]), true, []]);
    expect(writtenIn(folder, name => name === 'policy.json').flatMap(foundIn)).toEqual([]);
  });

  it('are not in what the API server of envtest prints, nor in files other than the bodies that it keeps', async () => {
    const materials = writeMaterials();
    opened.push({ close: () => materials.remove() });
    const server = await startControlPlane(materials, ['--authorization-mode=AlwaysAllow']);
    const { items }: { items: object[] } = JSON.parse(quotingState);
    for (const policy of items) {
      const { kind } = policy as { kind: string };
      await server.call('POST', `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase().replace(/y$/, 'ie')}s`, { body: policy });
    }
    const answers: number[] = [];
    for (const object of manifests) answers.push((await server.call('POST', pathOf(object), { body: object })).status);
    for (const query of queries) await server.call('GET', `/api/v1/pods?${query}`);
    await server.stop();
    const { stdout, stderr } = await runCommand(Envtest, [], { env: { XDG_CACHE_HOME: path.join(materials.folder, 'cache') } });
    expect([answers.length, stdout.includes('cache')]).toEqual([manifests.length, true]);
    const written = writtenIn(materials.folder, () => false);
    expect([written.length > 3, [server.stderr(), stdout, stderr, ...written].flatMap(foundIn)]).toEqual([true, []]);
  });

  it('are not in what playground prints when they are in the address', async () => {
    let output = '';
    const take = (text: string): void => {
      output += text;
    };
    const [address = ''] = await startCommand(Playground, [], { opened, onStdout: take, onStderr: take }, [/^(http:.*)$/m]);
    for (const query of queries) await (await fetch(`${address}?${query}`)).arrayBuffer();
    expect(foundIn(output)).toEqual([]);
  });

  it('are not in the record of test for --last-failed, nor in the output of the run that reads it', async () => {
    const cases = Object.fromEntries(manifests.map((object, i) => [`cases/${i}.json`, JSON.stringify(object)]));
    const named = texts.map((text, i) => ({ name: `${i} ${text}`, filename: 'cases/0.json', expect: { allowed: true } }));
    const suite = { apiVersion: 'webhook-cli.dev/v1alpha1', kind: 'Suite', snapshot: false, cases: named };
    const folder = folderWith({ ...cases, 'state/policy.json': quotingState, 's.webhook-test.yaml': JSON.stringify(suite) }, opened);
    const env = { XDG_CACHE_HOME: path.join(folder, 'cache') };
    const run = (...more: readonly string[]) => runCommand(Test, ['.', '--state', 'state', '--demo', ...more], { cwd: folder, env });
    const first = await run();
    const second = await run('--last-failed', '--reporter', 'json=report');
    expect([first.exitCode, second.exitCode]).toEqual([1, 1]);
    const written = writtenIn(folder, name => /^\d+\.json$|^policy\.json$|^s\.webhook/.test(name));
    expect([first, second].map(({ stdout, stderr }) => foundIn(stdout + stderr))).toEqual([[], []]);
    expect(written.flatMap(foundIn)).toEqual([]);
    expect(readdirSync(path.join(folder, 'cache/webhook-cli/last-failed'))).toHaveLength(1);
  });
});

function called(url: string, { token, body }: { readonly token: string; readonly body?: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = request(url, { method: body === undefined ? 'GET' : 'POST', rejectUnauthorized: false, headers }, response => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
