import { readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import Apiserver from '../../commands/apiserver.js';
import ProxyCommand from '../../commands/proxy.js';
import RequestCommand from '../../commands/request.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import { allow } from '../../src/webhook-server/script/script.js';
import { startScriptedEndpoint } from '../../src/webhook-server/script/scripted-endpoint.js';
import { post, review } from '../proxy/proxied-webhook.js';
import { runCommand } from '../support/run-command.js';
import { type Closing, nextPage, startCommand } from '../support/started-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const opened: Closing[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

const env = { BROWSER: 'none' };

describe('--open', { timeout: 30_000 }, () => {
  it('shows what apiserver is asked to change, and neither reads nor leases', async () => {
    const { folder, remove } = temporaryFolder();
    opened.push({ close: remove });
    const argv = ['--open', '--kubeconfig', 'kubeconfig', '--token', 'ann=abc', '--as', 'joe'];
    const [url = '', address = ''] = await startCommand(Apiserver, argv, { cwd: folder, env, opened }, [
      /^(https:.*)$/m,
      /^page: (.*)$/m,
      /^(kubeconfig: )/m,
    ]);
    const kubeconfig = readFileSync(path.join(folder, 'kubeconfig'), 'utf8');
    const ca = Buffer.from(/certificate-authority-data: "?([^"\s]+)/.exec(kubeconfig)?.[1] ?? '', 'base64');
    const token = /token: "?([^"\s]+)/.exec(kubeconfig)?.[1] ?? '';
    const ask = (method: string, to: string, body?: object): Promise<number> =>
      new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const sent = request(`${url}${to}`, { method, ca, headers }, response => {
          response.resume();
          response.on('end', () => resolve(response.statusCode ?? 0));
        });
        sent.on('error', reject);
        sent.end(body === undefined ? undefined : JSON.stringify(body));
      });
    const next = await nextPage(address);
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'leader' } };
    expect(await ask('POST', '/apis/coordination.k8s.io/v1/namespaces/default/leases', lease)).toBe(201);
    expect(await ask('GET', '/api/v1/namespaces/default/configmaps/limits')).toBe(404);
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'limits' }, data: { cpu: '1' } };
    expect(await ask('POST', '/api/v1/namespaces/default/configmaps', object)).toBe(201);
    const page = await next();
    expect(page).toContain('webhook-cli apiserver');
    expect(page).toContain('"method":"POST","path":"/api/v1/namespaces/default/configmaps"');
    expect(page).not.toMatch(/leases|"method":"GET"/);
    expect(page).not.toContain(token);
  });

  it('shows the reviews that pass proxy, without what is redacted', async () => {
    const { cert, key, ca } = await issueServingPair({ dns: [], ips: [] }, new Date());
    const endpoint = await startScriptedEndpoint({ endpoint: allow }, { chain: cert, key });
    const { folder, remove } = temporaryFolder({ 'ca.crt': ca, 'certs/tls.crt': cert, 'certs/tls.key': key, 'certs/ca.crt': ca });
    opened.push({ close: remove }, endpoint);
    const argv = ['--open', '--to', `https://127.0.0.1:${endpoint.port}`, '--ca-file', 'ca.crt', '--redact', 'metadata.name'];
    const [origin = '', address = ''] = await startCommand(ProxyCommand, argv, { cwd: folder, env, opened }, [
      /^(https:.*)$/m,
      /^page: (.*)$/m,
      /^(forwarding)/m,
    ]);
    const next = await nextPage(address);
    await post(Number(new URL(origin).port), ca, review());
    const page = await next();
    expect(page).toContain('webhook-cli proxy');
    expect(page).toMatch(/"outcome":"allowed"/);
    expect(page).toContain('redacted sha256:');
  });

  it('shows the calls of request', async () => {
    const { stderr, exitCode } = await runCommand(RequestCommand, ['--open', '-f', 'fixtures/manifests/pod-privileged.yaml'], { env });
    const file = /^report: (.*)$/m.exec(stderr)?.[1] ?? '';
    expect([exitCode, readFileSync(file, 'utf8').includes('webhook-cli request: 1 call, 1 of 1 webhook would be called')]).toEqual([
      0,
      true,
    ]);
    opened.push({ close: () => rmSync(path.dirname(file), { recursive: true }) });
    const refused = await runCommand(RequestCommand, ['--open', '--case', 'x.json'], { env });
    expect([refused.exitCode, refused.stderr]).toEqual([2, 'error: --open has no effect with --case\n']);
  });
});
