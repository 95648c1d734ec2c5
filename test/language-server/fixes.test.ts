import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CodeAction } from 'vscode-languageserver';
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
