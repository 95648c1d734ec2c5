import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import Apiserver from '../../commands/apiserver.js';
import Convert from '../../commands/convert.js';
import ProxyCommand from '../../commands/proxy.js';
import State from '../../commands/state.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import { startScriptedEndpoint } from '../../src/webhook-server/script/scripted-endpoint.js';
import { developed } from '../commands/support/developed.js';
import { post } from '../proxy/proxied-webhook.js';
import { startLocalCluster } from '../support/local-cluster.js';
import { runCommand } from '../support/run-command.js';
import { type Closing, nextPage, startCommand } from '../support/started-command.js';
import { manifestsOf, manifestsText, quotingState, searchFor } from './planted-manifests.js';
import { plantedSecrets } from './planted-secrets.js';
import { folderWith, writtenIn } from './written-files.js';

const planted = plantedSecrets(1);
const foundIn = searchFor(planted);
const manifests = manifestsOf(planted) as readonly { readonly kind: string; readonly metadata: { readonly name: string } }[];
const wholes = ['JSON web token', 'private key'];
const opened: Closing[] = [];
const env = { BROWSER: 'none' };

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

describe('planted secrets', { timeout: 60_000 }, () => {
  it('are neither on the page of apiserver nor in its log', async () => {
    let output = '';
    const take = (text: string): void => {
      output += text;
    };
    const folder = folderWith({ 'policy.json': quotingState }, opened);
    const argv = ['--open', '--kubeconfig', 'kubeconfig', '--state', 'policy.json'];
    const patterns = [/^(https:.*)$/m, /^page: (.*)$/m, /^(kubeconfig: )/m];
    const [url = '', address = ''] = await startCommand(
      Apiserver,
      argv,
      { cwd: folder, env, opened, onStdout: take, onStderr: take },
      patterns,
    );
    const kubeconfig = readFileSync(path.join(folder, 'kubeconfig'), 'utf8');
    const ca = Buffer.from(/certificate-authority-data: "?([^"\s]+)/.exec(kubeconfig)?.[1] ?? '', 'base64');
    const token = /token: "?([^"\s]+)/.exec(kubeconfig)?.[1] ?? '';
    const resources: Readonly<Record<string, string>> = { Pod: 'pods', ConfigMap: 'configmaps', Secret: 'secrets' };
    const answers: string[] = [];
    const next = await nextPage(address);
    for (const object of manifests)
      answers.push(await posted(`${url}/api/v1/namespaces/default/${resources[object.kind]}`, { ca, token, body: JSON.stringify(object) }));
    const page = await next();
    // The client that sent the secrets gets them back, as from every API server.
    expect(foundIn(answers.join('\n'))).toContain('query');
    expect([page.includes('refused'), foundIn(page), foundIn(output)]).toEqual([true, [], []]);
    expect(output).toContain('kubeconfig: ');
    expect(writtenIn(folder, () => false).flatMap(foundIn)).toEqual([]);
  });

  it('are neither on the page of proxy nor in what it prints and records', async () => {
    let output = '';
    const take = (text: string): void => {
      output += text;
    };
    const { cert, key, ca } = await issueServingPair({ dns: [], ips: [] }, new Date());
    // Parts of a JSON web token or of a private key are secrets only as a whole.
    const quoted = planted.filter(({ kind }) => !wholes.includes(kind)).map(({ secret }) => secret);
    const answer = {
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid: '{{uid}}', allowed: false, status: { message: `refused: ${quoted.join(' ')}` } },
    };
    const endpoint = await startScriptedEndpoint(
      { endpoint: { kind: 'http', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(answer) } },
      { chain: cert, key },
    );
    const folder = folderWith({ 'ca.crt': ca, 'certs/tls.crt': cert, 'certs/tls.key': key, 'certs/ca.crt': ca }, opened);
    opened.push(endpoint);
    const argv = ['--open', '--record', 'recordings', '--to', `https://127.0.0.1:${endpoint.port}`, '--ca-file', 'ca.crt'];
    const patterns = [/^(https:.*)$/m, /^page: (.*)$/m, /^(forwarding)/m];
    const [origin = '', address = ''] = await startCommand(
      ProxyCommand,
      argv,
      { cwd: folder, env, opened, onStdout: take, onStderr: take },
      patterns,
    );
    const next = await nextPage(address);
    // The webhook quotes all of them: they are known from the objects of one review.
    const object = { apiVersion: 'v1', kind: 'List', metadata: { name: 'all' }, items: manifests };
    await post(Number(new URL(origin).port), ca, reviewOf(object));
    const page = await next();
    expect([page.includes('refused'), foundIn(page), foundIn(output)]).toEqual([true, [], []]);
    // Its line is printed after the recording is written: the command has ended then.
    await opened.pop()?.close();
    expect(output).toContain('CREATE List');
    expect(foundIn(output)).toEqual([]);
    expect(writtenIn(folder, name => ['ca.crt', 'tls.crt', 'tls.key'].includes(name)).flatMap(foundIn)).toEqual([]);
  });

  it('are not in what dev shows and writes', async () => {
    const folder = folderWith({ 'few.json': manifestsText(planted), 'policy.json': quotingState }, opened);
    const { stdout, stderr } = await developed(folder, ['--demo', '--state', 'policy.json', '-f', 'few.json'], [press => press('d')]);
    expect(stdout).toContain('refused');
    expect([foundIn(stdout + stderr), writtenIn(folder, name => ['few.json', 'policy.json'].includes(name)).flatMap(foundIn)]).toEqual([
      [],
      [],
    ]);
  });

  it('of Secrets are not in what state writes', async () => {
    const cluster = await startLocalCluster(
      manifests
        .filter(({ kind }) => kind === 'Secret')
        .map(object => ({ ...object, metadata: { ...object.metadata, namespace: 'default' } })),
    );
    opened.push(cluster);
    const folder = folderWith({}, opened);
    const { stdout, stderr, exitCode } = await runCommand(State, ['--kubeconfig', cluster.kubeconfig, '-o', 'out', '-A'], { cwd: folder });
    expect([exitCode, foundIn(stdout + stderr), writtenIn(folder, () => false).flatMap(foundIn)]).toEqual([0, [], []]);
  });

  it('are in what convert returns, and not in its messages', async () => {
    const folder = folderWith({ 'few.json': manifestsText(planted) }, opened);
    const { stderr } = await runCommand(Convert, ['-f', 'few.json', '--to', 'v1'], { cwd: folder });
    expect([stderr.length > 0, foundIn(stderr)]).toEqual([true, []]);
  });
});

function reviewOf(object: object): string {
  const request = {
    uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
    kind: { group: '', version: 'v1', kind: 'List' },
    resource: { group: '', version: 'v1', resource: 'lists' },
    ...{ name: 'all', namespace: 'default', operation: 'CREATE', userInfo: { username: 'jane' }, object, oldObject: null, dryRun: false },
  };
  return JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request });
}

function posted(url: string, { ca, token, body }: { readonly ca: Buffer; readonly token: string; readonly body: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = request(url, { method: 'POST', ca, headers }, async response =>
      resolve(Buffer.concat(await response.toArray()).toString()),
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
