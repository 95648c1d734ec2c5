import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CodeAction, Diagnostic } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { readCaBundle } from '../../src/cli/commands/lsp/workspace-files.js';
import { type Editor, startEditor } from './editor.js';

let editor: Editor;
beforeAll(async () => {
  editor = await startEditor();
});
afterAll(async () => {
  await editor.close();
});

it('offers the nearest name for an unknown field', async () => {
  const uri = 'file:///pod.yaml';
  const text =
    'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: x\n    imagepullpolicy: Always\n    image: nginx\n';
  const diagnostics = await editor.show(uri, text);
  const range = { start: { line: 6, character: 4 }, end: { line: 6, character: 4 } };
  const actions: CodeAction[] | null = await editor.connection.sendRequest('textDocument/codeAction', {
    textDocument: { uri },
    range,
    context: { diagnostics },
  });
  expect(actions?.map(({ title, edit }) => [title, edit?.changes?.[uri]])).toEqual([
    [
      'Change to imagePullPolicy',
      [{ range: { start: { line: 6, character: 4 }, end: { line: 6, character: 19 } }, newText: 'imagePullPolicy' }],
    ],
  ]);
});

it('warns about fields that the kinds of a policy do not have, as the type checking of the API server does', async () => {
  const text =
    'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: a}\nspec:\n  matchConstraints:\n    resourceRules:\n' +
    '    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments, daemonsets]}\n  validations:\n  - expression: object.spec.replicas > 1\n';
  const found = (await editor.show('file:///policy.yaml', text)).filter(({ code }) => code === 'TypeChecking');
  expect(found.map(({ message, severity, range }) => [message, severity, range.start])).toEqual([
    [
      "apps/v1, Kind=DaemonSet: ERROR: <input>:1:12: undefined field 'replicas'\n | object.spec.replicas > 1\n | ...........^",
      2,
      { line: 8, character: 27 },
    ],
  ]);
});

describe('fixes of lint rules', () => {
  const webhook = (more: string): string =>
    `apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: policy}\nwebhooks:\n- name: policy.example.com\n  clientConfig:\n    url: https://policy.example.com/\n  admissionReviewVersions: [v1]\n  timeoutSeconds: 5\n${more}`;
  const selector =
    '  namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system, policy]}]}\n';
  const rules = (operations: string, resource: string): string =>
    `  rules:\n  - operations: ${operations}\n    apiGroups: ['']\n    apiVersions: [v1]\n    resources: [${resource}]\n`;
  const list =
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: tasks.example.com}\nspec:\n  group: example.com\n  scope: Namespaced\n  names: {plural: tasks, singular: task, kind: Task, listKind: TaskList}\n' +
    '  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          ports:\n            type: array\n            items: {type: object, required: [name], properties: {name: {type: string, description: A unique name.}}, x-kubernetes-validations: [{rule: self.name != ""}]}\n';

  it.each([
    ['missing-delete', webhook(`  sideEffects: None\n${selector}${rules('[UPDATE]', 'configmaps')}`), 'operations: [UPDATE, DELETE]'],
    [
      'missing-delete',
      webhook(`  sideEffects: None\n${selector}${rules('\n    - UPDATE # changes', 'configmaps')}`),
      '    - UPDATE # changes\n    - DELETE\n',
    ],
    [
      'missing-subresources',
      webhook(`  sideEffects: None\n${selector}${rules('[CREATE, UPDATE]', 'pods')}`),
      'resources: [pods, pods/ephemeralcontainers]',
    ],
    [
      'fail-without-exclusion',
      webhook(`  sideEffects: None\n${rules('[CREATE]', 'configmaps')}`),
      '- namespaceSelector: {"matchExpressions":[{"key":"kubernetes.io/metadata.name","operator":"NotIn","values":["kube-system"]}]}\n  name: policy.example.com\n',
    ],
    [
      'selector-on-name',
      webhook(
        `  sideEffects: None\n  namespaceSelector: {matchExpressions: [{key: name, operator: NotIn, values: [kube-system]}]}\n${rules('[CREATE]', 'configmaps')}`,
      ),
      '{key: kubernetes.io/metadata.name, operator',
    ],
    ['side-effects-forbid-dry-run', webhook(`  sideEffects: Some\n${selector}${rules('[CREATE]', 'configmaps')}`), '  sideEffects: None\n'],
    [
      'condition-can-fail',
      webhook(
        `  sideEffects: None\n${selector}${rules('[CREATE]', 'configmaps')}  matchConditions:\n  - name: mine\n    expression: object.metadata.labels['team'] == 'a'\n`,
      ),
      "expression: \"object.metadata.?labels[?'team'].orValue('') == 'a'\"",
    ],
    ['list-without-keys', list, 'x-kubernetes-list-map-keys: ["name"]'],
  ])('%s', async (rule, text, expected) => {
    const uri = `file:///${rule}.yaml`;
    const fixed = await fixedBy(uri, text, rule);
    expect(fixed).toContain(expected);
    expect((await editor.show(uri, fixed)).map(({ code }) => code)).not.toContain(rule);
  });

  it('are none in a value that an alias shares', async () => {
    const text = webhook(
      `  sideEffects: None\n${selector}${rules('&a [UPDATE]', 'configmaps')}- name: other.example.com\n  clientConfig: {url: https://policy.example.com/}\n  admissionReviewVersions: [v1]\n  sideEffects: None\n  failurePolicy: Ignore\n${rules('*a', 'secrets')}`,
    );
    expect((await editor.show('file:///alias.yaml', text)).map(({ code }) => code)).toContain('missing-delete');
    expect(await requestActions('file:///alias.yaml', text, one => one.code === 'missing-delete' && one.range.start.line > 15)).toEqual([]);
  });
});

it('injects the CA of the workspace into a webhook without one', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'webhook-cli-lsp-'));
  mkdirSync(path.join(folder, 'certs'));
  const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
  writeFileSync(path.join(folder, 'certs/ca.crt'), certificate);
  const text =
    'apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\nmetadata: {name: a}\nwebhooks:\n- name: a.example.com\n  clientConfig:\n    service: {name: a, namespace: b}\n';
  const other = await startEditor({ folder, surroundings: { readCaBundle } });
  const uri = `file://${folder}/a.yaml`;
  await other.show(uri, text);
  const position = { line: 6, character: 6 };
  const params = { textDocument: { uri }, range: { start: position, end: position }, context: { diagnostics: [] } };
  const ask = (): Promise<CodeAction[] | null> => other.connection.sendRequest('textDocument/codeAction', params);
  expect((await ask())?.map(action => changed(uri, text, action))).toEqual([
    text.replace('    service', `    caBundle: ${Buffer.from(certificate).toString('base64')}\n    service`),
  ]);
  rmSync(path.join(folder, 'certs/ca.crt'));
  symlinkSync('/etc/hostname', path.join(folder, 'certs/ca.crt'));
  expect(await ask()).toEqual([]);
  await other.close();
  rmSync(folder, { recursive: true });
});

async function requestActions(uri: string, text: string, isAsked: (diagnostic: Diagnostic) => boolean): Promise<readonly CodeAction[]> {
  const diagnostics = (await editor.show(uri, text)).filter(isAsked);
  const [first] = diagnostics;
  if (first === undefined) throw new Error('no such diagnostic');
  const params = { textDocument: { uri }, range: first.range, context: { diagnostics } };
  return (await editor.connection.sendRequest<CodeAction[] | null>('textDocument/codeAction', params)) ?? [];
}

/** Returns the text after the first fix of a rule. */
async function fixedBy(uri: string, text: string, rule: string): Promise<string> {
  const [action] = await requestActions(uri, text, ({ code }) => code === rule);
  if (action === undefined) throw new Error('no fix');
  return changed(uri, text, action);
}

function changed(uri: string, text: string, { edit }: CodeAction): string {
  return TextDocument.applyEdits(TextDocument.create(uri, 'yaml', 1, text), edit?.changes?.[uri] ?? []);
}
