import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompletionList } from 'vscode-languageserver';
import { findOwnFileType } from '../../src/cli/commands/lsp/own-file-types.js';
import { checkOwnFile } from '../../src/cli/commands/lsp/own-files.js';
import { rulePage } from '../../src/cli/commands/lsp/rule-page.js';
import { knownFlagsOf } from '../../src/cli/options/known-flags.js';
import { type Editor, startEditor } from './editor.js';

const flags = async () => [
  { name: 'state', description: 'what exists', isSwitch: false, isList: true, choices: undefined },
  { name: 'output', description: 'the format', isSwitch: false, isList: false, choices: ['json', 'yaml'] },
  { name: 'recursive', description: undefined, isSwitch: true, isList: false, choices: undefined },
];

let editor: Editor;
beforeAll(async () => {
  const checked = (file: string, text: string) =>
    checkOwnFile(file, text, async () => knownFlagsOf((await flags()).map(({ name }) => ({ [name]: {} }))));
  editor = await startEditor({ surroundings: { findOwnFileType: file => findOwnFileType(file, flags), checkOwnFile: checked } });
});
afterAll(async () => {
  await editor.close();
});

/** Returns what is offered at the mark. */
async function labels(uri: string, marked: string): Promise<string[]> {
  const offset = marked.indexOf('‸');
  const before = marked.slice(0, offset).split('\n');
  await editor.show(uri, marked.replace('‸', ''));
  const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  const list: CompletionList | null = await editor.connection.sendRequest('textDocument/completion', { textDocument: { uri }, position });
  return (list?.items ?? []).map(({ label }) => label);
}

const suite = 'apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\nurl: https://127.0.0.1:8443\n';
const one = `${suite}cases:\n- name: a\n`;

describe('completion in suites and webhook-cli.yaml', () => {
  const rows: readonly (readonly [string, string, string, readonly string[], readonly string[]])[] = [
    ['fields of a suite', 'a.webhook-test.yaml', `${suite}‸`, ['cases', 'exec', 'services', 'checks'], ['kind', 'url', 'spec']],
    ['fields of a case', 'a.webhook-test.yaml', `${one}  ‸`, ['expect', 'steps', 'filename', 'scenarios'], ['name', 'cases']],
    ['expectations', 'a.webhook-test.yaml', `${one}  expect:\n    ‸`, ['allowed', 'message', 'warnings', 'failure'], ['steps']],
    ['fields of a failure', 'a.webhook-test.yaml', `${one}  expect: {failure: {‸}}\n`, ['class', 'message'], ['allowed']],
    ['fields of a matcher', 'a.webhook-test.yaml', `${one}  expect:\n    message:\n      ‸`, ['matches'], ['allowed']],
    ['a boolean', 'a.webhook-test.yaml', `${one}  expect:\n    allowed: ‸`, ['true', 'false'], []],
    ['fields of a step', 'a.webhook-test.yaml', `${one}  steps:\n  - ‸`, ['name', 'expect', 'operation'], ['steps', 'matrix']],
    ['the process', 'a.webhook-test.yaml', `${suite}exec:\n  ‸`, ['command', 'env', 'ready'], ['cases']],
    ['values of a field', 'a.webhook-test.yaml', `${one}  operation: ‸`, ['create', 'update'], ['state']],
    ['the version', 'a.webhook-test.yaml', 'apiVersion: ‸\n', ['webhook-cli.dev/v1alpha1'], ['v1']],
    ['flags', 'webhook-cli.yaml', 'output: json\n‸', ['state', 'recursive'], ['output', 'kind']],
    ['values of a flag', 'webhook-cli.yaml', 'output: ‸\n', ['json', 'yaml'], ['state']],
    ['a switch', 'webhook-cli.yaml', 'recursive: ‸\n', ['true', 'false'], ['json']],
  ];
  for (const [name, file, text, present, absent] of rows) {
    it(`offers ${name}`, async () => {
      const found = await labels(`file:///repository/${file}`, text);
      for (const label of present) expect(found).toContain(label);
      for (const label of absent) expect(found).not.toContain(label);
    });
  }

  it('shows what a field is for', async () => {
    const uri = 'file:///repository/a.webhook-test.yaml';
    await editor.show(uri, one);
    const position = { line: 3, character: 2 };
    const hover = await editor.connection.sendRequest<{ contents: { value: string } } | null>('textDocument/hover', {
      textDocument: { uri },
      position,
    });
    expect(hover?.contents.value).toContain('the tests');
  });
});

it('shows the errors of suites that test reports', async () => {
  const found = await editor.show('file:///repository/a.webhook-test.yaml', `${one}  filename: a.yaml\n  expect: {alowed: true}\n`);
  expect(found.map(({ message, range }) => [message, range.start])).toEqual([
    [expect.stringContaining('alowed'), { line: 6, character: 11 }],
  ]);
});

describe('the page of a rule', () => {
  it('is in the docs of this version', () => {
    const place = { homepage: 'https://github.com/someone/webhook-cli#readme', version: '0.1.0' };
    expect(rulePage('missing-delete', place)).toBe(
      'https://github.com/someone/webhook-cli/blob/v0.1.0/docs/lint.md#:~:text=missing-delete',
    );
  });

  it('is unknown without the address of the repository', () => {
    expect(rulePage('missing-delete', { homepage: 'https://github.com/OWNER/webhook-cli#readme', version: '0.1.0' })).toBeUndefined();
    expect(rulePage('missing-delete', { homepage: undefined, version: '0.1.0' })).toBeUndefined();
  });
});
