import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Editor, startEditor } from './editor.js';

let editor: Editor;
beforeAll(async () => {
  editor = await startEditor();
});
afterAll(async () => {
  await editor.close();
});

/** Returns diagnostics as `line:column-line:column message`, counted from 0. */
async function shown(uri: string, text: string): Promise<string[]> {
  const diagnostics = await editor.show(uri, text);
  return diagnostics.map(({ range: { start, end }, message, severity }) => {
    const level = ['', 'error', 'warning', 'info'][severity ?? 0];
    return `${start.line}:${start.character}-${end.line}:${end.character} ${level}: ${message}`;
  });
}

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: x\n    image: nginx\n';

it('shows nothing for an object that the API server accepts', async () => {
  expect(await shown('file:///ok.yaml', pod)).toEqual([]);
});

it('shows each cause at the value of its field', async () => {
  const text = pod.replace('name: x', 'name: X').replace('image: nginx', 'imagePullPolicy: Sometimes # no');
  const found = await shown('file:///pod.yaml', text);
  expect(found.map(line => line.slice(0, 80))).toEqual([
    '5:4-5:11 error: spec.containers[0].image: Required value',
    '5:10-5:11 error: spec.containers[0].name: Invalid value: "X": a lowercase RFC 11',
    '6:21-6:30 error: spec.containers[0].imagePullPolicy: Unsupported value: "Sometim',
  ]);
});

it('shows unknown fields and what is wrong beside them', async () => {
  const found = await shown('file:///unknown.yaml', pod.replace('image: nginx', 'imag: nginx'));
  expect(found).toEqual([
    '5:4-5:11 error: spec.containers[0].image: Required value',
    '6:4-6:8 error: Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.containers[0].imag"',
  ]);
});

it('checks every document, and the items of a list', async () => {
  const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: A}\n';
  const list =
    'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a}\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: B}}\n';
  const found = await shown('file:///several.yaml', `${configMap}---\n${list}`);
  expect(found.map(line => line.slice(0, 50))).toEqual([
    '2:17-2:18 error: metadata.name: Invalid value: "A"',
    '10:53-10:54 error: metadata.name: Invalid value: "',
  ]);
});

it('sees the objects of earlier documents, as kubectl creates them one after another', async () => {
  const definition =
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.example.com}\nspec:\n  group: example.com\n  scope: Namespaced\n' +
    '  names: {plural: things, kind: Thing}\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          size: {type: integer, maximum: 3}\n';
  const found = await shown(
    'file:///thing.yaml',
    `${definition}---\napiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\nsize: 7\n`,
  );
  expect(found).toEqual(['20:6-20:7 error: size: Invalid value: 7: size in body should be less than or equal to 3']);
});

it('says where YAML is invalid, and nothing about documents of other programs', async () => {
  expect(await shown('file:///bad.yaml', 'apiVersion: v1\nkind: Pod\nmetadata: {name: a\n')).toHaveLength(1);
  expect(await shown('file:///compose.yaml', 'services:\n  a: {image: x}\n')).toEqual([]);
  expect(await shown('file:///template.yaml', 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Values.name }}\n')).toEqual([]);
  expect(await shown('file:///other.yaml', 'apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {name: a}\n')).toEqual([]);
  expect(await shown('file:///kustomize.yaml', 'apiVersion: builtin\nkind: LabelTransformer\nmetadata: {name: a}\n')).toEqual([]);
  expect(await shown('file:///config.yaml', 'apiVersion: v1\nkind: Config\nclusters: []\ncontexts: []\nusers: []\n')).toEqual([]);
});

it('says that a kind of the API server does not exist', async () => {
  const [found] = await shown('file:///kind.yaml', 'apiVersion: apps/v1\nkind: Deploymnt\nmetadata: {name: a}\n');
  expect(found).toMatch(/^1:6-1:15 error: no matches for kind "Deploymnt" in version "apps\/v1"/);
});

it('follows changes of a part of the text, and ends them with one answer for the newest version', async () => {
  const uri = 'file:///changes.yaml';
  await editor.show(uri, pod);
  for (let version = 2; version < 40; version += 1) {
    const range = { start: { line: 6, character: 11 }, end: { line: 6, character: version === 2 ? 16 : 11 } };
    await editor.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ range, text: '' }],
    });
  }
  const diagnostics = await editor.diagnosticsOf(uri, 39);
  expect(diagnostics.map(({ message }) => message)).toEqual(['spec.containers[0].image: Required value']);
});

it('counts bytes where the editor does', async () => {
  const other = await startEditor({ capabilities: { general: { positionEncodings: ['utf-8'] } } });
  const uri = 'file:///bytes.yaml';
  const [first] = await other.show(uri, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {annotations: {a: "😀é"}, name: A}\n');
  expect(first?.range).toEqual({ start: { line: 2, character: 45 }, end: { line: 2, character: 46 } });
  const range = { start: { line: 2, character: 45 }, end: { line: 2, character: 46 } };
  await other.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [{ range, text: 'a' }],
  });
  expect(await other.diagnosticsOf(uri, 2)).toEqual([]);
  expect(await other.close()).toBe(true);
});
