import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findWorkspaceFiles, readWorkspaceFile } from '../../src/cli/commands/lsp/workspace-files.js';
import { type Editor, editorSurroundings, startEditor } from './editor.js';

let folder: string;
let editor: Editor;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'webhook-cli-lsp-'));
  editor = await startEditor({ folder, surroundings: { workspaceFiles: findWorkspaceFiles, readFile: readWorkspaceFile } });
});
afterEach(async () => {
  await editor.close();
  rmSync(folder, { recursive: true });
});

const policy = (name: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: a}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
  validations:
  - expression: object.metadata.name != '${name}'
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: a}
spec: {policyName: a, validationActions: [Deny]}
`;
const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: forbidden}\n';

async function messages(file: string, text: string): Promise<string[]> {
  return (await editor.show(`file://${path.join(folder, file)}`, text)).map(({ message }) => String(message));
}

it('reads the first 20,000 files of the workspace, of at most 4 MiB each', async () => {
  mkdirSync(path.join(folder, 'many'));
  for (let i = 0; i < 20_000; i += 1) writeFileSync(path.join(folder, 'many', `${i}.yaml`), '');
  const limit = 4 * 1024 * 1024;
  writeFileSync(path.join(folder, 'largest.yaml'), '#'.padEnd(limit));
  writeFileSync(path.join(folder, 'larger.yaml'), '#'.padEnd(limit + 1));
  let count = 0;
  const lengths: number[] = [];
  for await (const { text } of findWorkspaceFiles(folder)) {
    count += 1;
    if (text !== '') lengths.push(text.length);
  }
  // One file is too large, and counts.
  expect([count, lengths]).toEqual([19_999, [limit]]);
}, 30_000);

it('applies the policies of the workspace', async () => {
  mkdirSync(path.join(folder, 'policies'));
  writeFileSync(path.join(folder, 'policies/a.yaml'), policy('forbidden'));
  expect(await messages('c.yaml', configMap)).toEqual([
    expect.stringContaining("ValidatingAdmissionPolicy 'a' with binding 'a' denied request"),
  ]);
});

it('applies policies as the editor has them, and checks other documents again', async () => {
  writeFileSync(path.join(folder, 'a.yaml'), policy('forbidden'));
  const uri = `file://${path.join(folder, 'c.yaml')}`;
  expect(await messages('c.yaml', configMap)).toHaveLength(1);
  const again = new Promise<number>(resolve => {
    editor.connection.onNotification('textDocument/publishDiagnostics', (params: { uri: string; diagnostics: unknown[] }) => {
      if (params.uri === uri) resolve(params.diagnostics.length);
    });
  });
  await editor.connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri: `file://${path.join(folder, 'a.yaml')}`, languageId: 'yaml', version: 1, text: policy('other') },
  });
  expect(await again).toBe(0);
});

it('reads a file again that has changed on disk', async () => {
  const file = path.join(folder, 'a.yaml');
  expect(await messages('c.yaml', configMap)).toEqual([]);
  writeFileSync(file, policy('forbidden'));
  await editor.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: `file://${file}`, type: 1 }] });
  expect(await messages('c.yaml', configMap)).toHaveLength(1);
});

it('creates an object of the workspace that is open without its copy on disk', async () => {
  const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n';
  writeFileSync(path.join(folder, 'n.yaml'), namespace);
  expect(await messages('n.yaml', namespace)).toEqual([]);
});

it('ignores policies and definitions that the API server refuses', async () => {
  writeFileSync(path.join(folder, 'a.yaml'), policy('forbidden').replace('object.metadata.name', 'nothing'));
  expect(await messages('c.yaml', configMap)).toEqual([]);
});

it('does not follow links out of the workspace', async () => {
  const outside = mkdtempSync(path.join(tmpdir(), 'webhook-cli-lsp-'));
  writeFileSync(path.join(outside, 'a.yaml'), policy('forbidden'));
  symlinkSync(outside, path.join(folder, 'linked'));
  symlinkSync(path.join(outside, 'a.yaml'), path.join(folder, 'a.yaml'));
  expect(await messages('c.yaml', configMap)).toEqual([]);
  await editor.connection.sendNotification('workspace/didChangeWatchedFiles', {
    changes: ['a.yaml', 'linked/a.yaml', '../other/a.yaml'].map(name => ({ uri: `file://${folder}/${name}`, type: 1 })),
  });
  expect(await messages('c.yaml', configMap)).toEqual([]);
  rmSync(outside, { recursive: true });
});

it('reads the settings again when webhook-cli.yaml changes', async () => {
  let reads = 0;
  const plain = editorSurroundings({});
  const other = await startEditor({
    folder,
    surroundings: {
      readSettings: place => {
        reads += 1;
        return plain.readSettings(place);
      },
    },
  });
  await other.show('file:///a.yaml', configMap);
  expect(reads).toBe(1);
  await other.connection.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [{ uri: `file://${folder}/webhook-cli.yaml`, type: 2 }],
  });
  await other.show('file:///a.yaml', configMap);
  expect(reads).toBe(2);
  await other.close();
});
