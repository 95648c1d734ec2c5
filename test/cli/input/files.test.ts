import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readInputFile, readInputFiles } from '../../../src/cli/work/input/files.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const long = Buffer.from(Array.from({ length: 100_000 }, (_, i) => `line ${i}\n`).join(''));
const { folder: cwd, remove } = temporaryFolder({
  'a.yaml': 'kind: A\n',
  'b.yaml': 'kind: B\n',
  'long.yaml': long,
  'folder/a.yaml': 'kind: A\n',
});

beforeAll(() => {
  symlinkSync('a.yaml', path.join(cwd, 'file-link'));
  symlinkSync('folder', path.join(cwd, 'folder-link'));
  symlinkSync('nothing', path.join(cwd, 'lost-link'));
  symlinkSync('circle', path.join(cwd, 'circle'));
});
afterAll(remove);

function read(...paths: readonly string[]): ReturnType<typeof readInputFiles> {
  return readInputFiles({ flag: '-f', paths, recursive: false }, { cwd, stdin: { isTerminal: true, read: async () => new Uint8Array() } });
}

it('does not share memory between files', async () => {
  const files = await read('a.yaml', 'b.yaml');
  expect(files.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['kind: A\n', 'kind: B\n']);
});

it('reads files that are longer than what is read at once', () => {
  expect(long.equals(readInputFile('long.yaml', cwd))).toBe(true);
});

it('reads files of up to 256 MiB', () => {
  const sparse = path.join(cwd, 'sparse.yaml');
  writeFileSync(sparse, '');
  truncateSync(sparse, 20 * 1024 * 1024);
  expect(readInputFile('sparse.yaml', cwd)).toHaveLength(20 * 1024 * 1024);
  truncateSync(sparse, 256 * 1024 * 1024 + 1);
  expect(() => readInputFile('sparse.yaml', cwd)).toThrow('cannot be read: it is larger than 256 MiB');
});

it('follows links, and reports a dangling link as unreadable', async () => {
  expect((await read('file-link', 'folder-link')).map(({ source }) => source)).toEqual(['file-link', 'folder-link/a.yaml']);
  await expect(read('lost-link')).rejects.toThrow('cannot be read');
  await expect(read('circle')).rejects.toThrow('cannot be read');
  await expect(read('nothing')).rejects.toThrow('the path "nothing" does not exist');
});
