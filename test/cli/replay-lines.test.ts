import { rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readLogLines } from '../../src/cli/commands/replay/log-lines.js';
import type { InputStream } from '../../src/cli/shell/surroundings.js';
import { testSurroundings } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

it('lets signals be handled between lines that were read together, if the lines before took long', async () => {
  const surroundings = testSurroundings({}, { stdout: '', stderr: '' });
  const stdin: InputStream = {
    ...surroundings.stdin,
    chunks: async function* () {
      yield Buffer.from('{"a":1}\n{"a":2}\n{"a":3}\n');
    },
  };
  let isHandled = false;
  const handled: boolean[] = [];
  for await (const { line } of readLogLines(['-'], { cwd: '/', stdin })) {
    if (line === 1) {
      setImmediate(() => {
        isHandled = true;
      });
      for (const start = performance.now(); performance.now() - start < 200; );
    }
    handled.push(isHandled);
  }
  expect(handled).toEqual([false, true, true]);
});

it('goes on after a file that is gone when it is read', async () => {
  const { folder, remove } = temporaryFolder({ a: '{"a":1}\n', b: '{"b":1}\n', c: '{"c":1}\n' });
  const read: string[] = [];
  const { stdin } = testSurroundings({}, { stdout: '', stderr: '' });
  for await (const { source, line, text, broken } of readLogLines(['a', 'b', 'c'], { cwd: folder, stdin })) {
    rmSync(path.join(folder, 'b'), { force: true });
    read.push(`${source}:${line} ${broken ?? text}`);
  }
  remove();
  expect(read).toEqual(['a:1 {"a":1}', 'b:1 the file cannot be read from here on: no such file or directory', 'c:1 {"c":1}']);
});

/** Returns the documents of a text that comes in chunks of a length. */
async function documentsOf(text: string | Buffer, chunk = 64 * 1024) {
  const bytes = Buffer.from(text);
  const { stdin } = testSurroundings({}, { stdout: '', stderr: '' });
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk);
  };
  const documents: { readonly line: number; readonly text: string; readonly broken: string | undefined }[] = [];
  for await (const { line, text: found, broken } of readLogLines(['-'], { cwd: '/', stdin: { ...stdin, chunks } }))
    documents.push({ line, text: found, broken });
  return documents;
}

it('reads a run of empty lines as one, in and between documents', async () => {
  const empty = '\n'.repeat(5000);
  const yaml = `request:\n  body: |\n    a${empty}    b\n`;
  const text = `${empty}{\n  "a":${empty}1\n}\n${empty}{"b":2}\n${yaml}---\n{"c":3}\n{${empty}`;
  for (const chunk of [1, 7, 4096, 1024 * 1024].filter(size => size > 1 || text.length < 50_000)) {
    const documents = await documentsOf(text, chunk);
    expect(documents.filter(({ text: found }) => found !== '')).toEqual([
      { line: 5001, text: '{"a":1}', broken: undefined },
      { line: 15_004, text: '{"b":2}', broken: undefined },
      { line: 15_005, text: yaml.slice(0, -1), broken: undefined },
      { line: 20_009, text: '{"c":3}', broken: undefined },
      { line: 20_010, text: '{', broken: undefined },
    ]);
  }
});

it('counts empty lines in the limit of a document', async () => {
  for (const start of ['{\n', 'request:\n']) {
    const bytes = Buffer.alloc(66 * 1024 * 1024, '\n');
    bytes.write(start);
    const documents = await documentsOf(bytes, 1024 * 1024);
    expect(documents.length).toBeLessThan(20);
    expect(documents.filter(({ broken }) => broken !== undefined)).toEqual([{ line: 1, text: '', broken: 'longer than 64 MiB' }]);
  }
});
