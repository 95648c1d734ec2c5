import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { startCheckThread } from '../../src/cli/commands/lsp/checks-job.js';
import type { CheckThread } from '../../src/language-server/check-thread.js';
import { checkService } from '../../src/language-server/server/check-service.js';
import { testSurroundings } from '../support/run-command.js';
import { threadInProcess } from '../support/thread-in-process.js';
import { type Editor, editorSurroundings, startEditor } from './editor.js';
import { thingDefinition } from './thing-definition.js';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function editorWith(start: (folder: string | undefined) => CheckThread): Promise<Editor> {
  const editor = await startEditor({ surroundings: { startCheckThread: start } });
  open.push(editor);
  return editor;
}

/** Checks in this process, with a record of what is asked. */
function recordedThread(asked: string[]): CheckThread {
  const checks = checkService(editorSurroundings({}), undefined);
  return {
    open: (uri, text) => {
      asked.push(`open ${uri} ${text.length > 1000 ? 'large' : 'small'}`);
      return checks.open(uri, text);
    },
    close: checks.close,
    reread: checks.reread,
    check: uri => {
      asked.push(`check ${uri}`);
      return checks.check(uri);
    },
    end: () => void asked.push('end'),
  };
}

const wrong = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: WRONG}\n';
const definition = (field: string, filler = 60_000): string =>
  thingDefinition(`        description: ${'x'.repeat(filler)}
        properties: {${field}: {type: string}}
`);
const thing = 'apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\ncolor: red\n';

describe('large files', () => {
  it('start a thread, which then checks all files, with the definitions that it was sent', async () => {
    const asked: string[] = [];
    const editor = await editorWith(() => recordedThread(asked));
    expect(await editor.show('file:///wrong.yaml', wrong)).toHaveLength(1);
    expect(asked).toEqual([]);
    expect(await editor.show('file:///thing.yaml', thing)).toEqual([]);
    await editor.show('file:///definition.yaml', definition('size'));
    expect(asked.slice(0, 3).sort()).toEqual([
      'open file:///definition.yaml large',
      'open file:///thing.yaml small',
      'open file:///wrong.yaml small',
    ]);
    const [unknown] = await editor.show('file:///thing.yaml', `${thing}# edited\n`);
    expect(unknown?.message).toContain('unknown field "color"');
    await editor.show('file:///definition.yaml', definition('color'));
    expect(await editor.show('file:///thing.yaml', thing)).toEqual([]);
    await editor.close();
    open.splice(0);
    expect(asked.at(-1)).toBe('end');
  });

  it('do not keep the editor from being answered while they are checked', async () => {
    let release: () => void = () => {};
    const released = new Promise<void>(resolve => {
      release = resolve;
    });
    const checks = checkService(editorSurroundings({}), undefined);
    const editor = await editorWith(() => ({ ...checks, check: uri => released.then(() => checks.check(uri)), end: () => {} }));
    const shown = editor.show('file:///definition.yaml', definition('size'));
    const position = { textDocument: { uri: 'file:///definition.yaml' }, position: { line: 4, character: 3 } };
    const hover: { contents: { value: string } } = await editor.connection.sendRequest('textDocument/hover', position);
    expect(hover.contents.value).toContain('group: string');
    release();
    expect(await shown).toEqual([]);
  });

  it('are checked in the thread of the messages if their own ends, and no other is started', async () => {
    let started = 0;
    const dead = async (): Promise<never> => {
      throw new Error('the thread ended with exit code 1');
    };
    const editor = await editorWith(() => {
      started += 1;
      return { open: dead, close: dead, reread: dead, check: dead, end: () => {} };
    });
    const logged: string[] = [];
    editor.connection.onNotification('window/logMessage', ({ message }) => void logged.push(message));
    const text = definition('size').replace('scope: Namespaced', 'scope: Nowhere');
    expect((await editor.show('file:///definition.yaml', text)).map(({ message }) => message).join()).toContain(
      'Unsupported value: "Nowhere"',
    );
    expect(await editor.show('file:///wrong.yaml', wrong)).toHaveLength(1);
    expect([started, logged]).toEqual([1, ['internal error, please report it: Error: the thread ended with exit code 1']]);
  });
});

describe('the job of a thread', () => {
  function started(): CheckThread {
    const surroundings = testSurroundings({}, { stdout: '', stderr: '' });
    const facts = { toolVersion: '0.0.0', homepage: undefined };
    const main = { listKnownFlags: async () => new Map() };
    const thread = startCheckThread({ flags: {}, folder: undefined, ...facts }, () => threadInProcess(surroundings), main);
    open.push({ close: thread.end });
    return thread;
  }

  it('returns the problems of a file, and whether the state of others changes', async () => {
    const thread = started();
    expect(await thread.open('file:///wrong.yaml', wrong)).toBe(false);
    expect((await thread.check('file:///wrong.yaml'))?.map(({ start, end }) => wrong.slice(start, end))).toEqual(['WRONG']);
    expect(await thread.open('file:///definition.yaml', definition('size', 10))).toBe(true);
    expect(await thread.open('file:///thing.yaml', thing)).toBe(false);
    expect(await thread.check('file:///thing.yaml')).toHaveLength(1);
    expect(await thread.close('file:///definition.yaml')).toBe(true);
    expect(await thread.check('file:///thing.yaml')).toEqual([]);
    expect(await thread.check('file:///none.yaml')).toBeUndefined();
  });

  it('ends the check of a version when a newer one comes', async () => {
    const thread = started();
    const many = Array.from({ length: 300 }, (_, index) => wrong.replace('WRONG', `W${index}-${randomUUID()}`)).join('---\n');
    await thread.open('file:///many.yaml', many);
    const first = thread.check('file:///many.yaml');
    await thread.open('file:///many.yaml', wrong);
    expect(await first).toBeUndefined();
    expect(await thread.check('file:///many.yaml')).toHaveLength(1);
  });
});
