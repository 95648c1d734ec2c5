import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver';
import { createProtocolConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { root } from '../support/run-command.js';

const secret = 'word-from-outside';

/** Writes a repository whose files name programs, addresses and files outside of it in every place that some command reads. */
function writeRepository(folder: string, outside: string, url: string): void {
  const marker = path.join(outside, 'ran');
  const program = `touch ${marker}`;
  const files: Record<string, string> = {
    'webhook-cli.yaml': `state: [manifests, ../outside, kustomize:kustomization]\nexec: ${program}\nkubeconfig: kubeconfig\ncontext: hostile\nurl: ${url}\nenable-admission-plugins: [PodSecurity]\n`,
    kubeconfig: `apiVersion: v1\nkind: Config\ncurrent-context: hostile\ncontexts: [{name: hostile, context: {cluster: c, user: u}}]\nclusters: [{name: c, cluster: {server: '${url}'}}]\nusers: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: sh, args: [-c, '${program}']}}}]\n`,
    'a.webhook-test.yaml': `apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\nexec: ${program}\nurl: ${url}\nstate: ../outside\ncases: [{name: a, filename: ../outside/secret.yaml}]\n`,
    'kustomization/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [${url}/remote.yaml]\n`,
    'manifests/webhook.yaml': `apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: a}\nwebhooks:\n- name: a.example.com\n  admissionReviewVersions: [v1]\n  sideEffects: None\n  clientConfig: {url: 'https${url.slice(4)}/review'}\n  rules: [{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*']}]\n`,
    'manifests/crd.yaml': `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.example.com}\nspec:\n  group: example.com\n  scope: Namespaced\n  names: {plural: things, singular: thing, kind: Thing, listKind: ThingList}\n  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https${url.slice(4)}/convert'}}}\n  versions:\n  - {name: v1, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}\n  - {name: v2, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}\n`,
    'thing.yaml': 'apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\n',
    'pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: A}\nspec: {containers: [{name: a, image: b}]}\n',
    '.git/hooks/post-checkout': `#!/bin/sh\n${program}\n`,
    'node_modules/.bin/kubectl': `#!/bin/sh\n${program}\n`,
    '.npmrc': `registry=${url}\n`,
    'package.json': `{"name": "a", "scripts": {"preinstall": "${program}"}, "oclif": {"plugins": ["./plugin"]}}`,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), text, { mode: 0o755 });
  }
  writeFileSync(
    path.join(outside, 'secret.yaml'),
    `apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: ${secret}}\nspec:\n  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]}\n  validations: [{expression: 'false', message: ${secret}}]\n---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: a}\nspec: {policyName: ${secret}, validationActions: [Deny]}\n`,
  );
  symlinkSync(outside, path.join(folder, 'manifests/linked'));
  symlinkSync(path.join(outside, 'secret.yaml'), path.join(folder, 'manifests/policy.yaml'));
  mkdirSync(path.join(folder, 'certs'));
  symlinkSync(path.join(outside, 'secret.yaml'), path.join(folder, 'certs/ca.crt'));
}

it('runs nothing, calls nobody and reads nothing outside of a hostile repository', { timeout: 120_000 }, async () => {
  const parent = mkdtempSync(path.join(tmpdir(), 'webhook-cli-hostile-'));
  const [folder, outside] = ['repository', 'outside'].map(name => path.join(parent, name)) as [string, string];
  for (const one of [folder, outside]) mkdirSync(one);
  let calls = 0;
  const server = createServer((_, response) => void response.end()).on('connection', () => {
    calls += 1;
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  writeRepository(folder, outside, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const before = readdirSync(folder, { recursive: true }).sort();

  const child = spawn(process.execPath, [path.join(root, 'bin/run.js'), 'lsp', '--stdio'], {
    cwd: folder,
    env: { ...process.env, PATH: `${path.join(folder, 'node_modules/.bin')}${path.delimiter}${process.env['PATH']}`, HOME: parent },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', chunk => {
    said += chunk;
  });
  const connection = createProtocolConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
  const shown = new Map<string, (diagnostics: readonly Diagnostic[]) => void>();
  connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }) => shown.get(uri)?.(diagnostics));
  connection.onNotification('window/logMessage', ({ message }: { message: string }) => {
    said += message;
  });
  connection.listen();
  await connection.sendRequest('initialize', { processId: process.pid, rootUri: `file://${folder}`, capabilities: {} });
  await connection.sendNotification('initialized', {});
  const diagnosticsOf = (name: string, text: string): Promise<readonly Diagnostic[]> => {
    const uri = `file://${path.join(folder, name)}`;
    const found = new Promise<readonly Diagnostic[]>(resolve => shown.set(uri, resolve));
    void connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
    return found;
  };
  const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
  const all = [
    await diagnosticsOf('pod.yaml', 'apiVersion: v1\nkind: Pod\nmetadata: {name: A}\nspec: {containers: [{name: a, image: b}]}\n'),
    await diagnosticsOf('config.yaml', configMap),
    await diagnosticsOf('thing.yaml', 'apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\n'),
    await diagnosticsOf(
      'a.webhook-test.yaml',
      `apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\nexec: touch ${outside}/ran\ncases: []\n`,
    ),
    await diagnosticsOf('webhook-cli.yaml', `exec: touch ${outside}/ran\n`),
    await diagnosticsOf('kustomization/kustomization.yaml', 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n'),
  ];
  const position = { line: 0, character: 0 };
  const uri = `file://${path.join(folder, 'manifests/webhook.yaml')}`;
  await diagnosticsOf(
    'manifests/webhook.yaml',
    'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: a}\nwebhooks: [{name: a.example.com, clientConfig: {url: "https://a.example.com"}}]\n',
  );
  const actions = await connection.sendRequest('textDocument/codeAction', {
    textDocument: { uri },
    range: { start: { line: 3, character: 50 }, end: { line: 3, character: 50 } },
    context: { diagnostics: [] },
  });
  await connection.sendRequest('textDocument/completion', { textDocument: { uri }, position });
  await connection.sendRequest('shutdown');
  await connection.sendNotification('exit');
  await new Promise(resolve => child.once('exit', resolve));
  connection.dispose();
  server.close();

  expect(all[0]?.map(({ message }) => message)).toEqual([expect.stringContaining('metadata.name: Invalid value')]);
  expect(JSON.stringify([all, actions, said])).not.toContain(secret);
  expect(calls).toBe(0);
  expect(existsSync(path.join(outside, 'ran'))).toBe(false);
  expect(readdirSync(outside)).toEqual(['secret.yaml']);
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual(before);
  rmSync(parent, { recursive: true });
});
