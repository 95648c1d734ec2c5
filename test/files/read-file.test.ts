import { closeSync, existsSync, openSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { allBytes, maxFileBytes, readNamedFile, readRegularFile, readUnlessFolder } from '../../src/files/read-file.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const temporary = temporaryFolder({ empty: '', small: 'a\n' });
afterAll(() => temporary.remove());

const at = (name: string): string => path.join(temporary.folder, name);

describe('the bytes of a file', () => {
  it.each([0, 1, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, 600_000])('are complete with a length of %d', length => {
    const bytes = Buffer.alloc(length, 'abcdefg');
    writeFileSync(at('sized'), bytes);
    for (const read of [readRegularFile(at('sized')), readNamedFile(at('sized')), readUnlessFolder(at('sized'))])
      expect(read?.equals(bytes)).toBe(true);
  });

  it('are complete if it has changed since its size was read', () => {
    const readAt = (name: string, size: number): Buffer => {
      const descriptor = openSync(at(name), 'r');
      const bytes = allBytes(descriptor, size);
      closeSync(descriptor);
      return bytes;
    };
    for (const size of [0, 1, 3, 1000]) expect(readAt('small', size).toString()).toBe('a\n');
    expect(readAt('empty', 5)).toHaveLength(0);
  });

  it('are not read of a folder, and of what does not exist', () => {
    expect(readUnlessFolder(temporary.folder)).toBeUndefined();
    expect(readUnlessFolder(at('missing'))).toBeUndefined();
    expect(readUnlessFolder('\0')).toBeUndefined();
  });

  it('are not read beyond the limit, also if the size is known', () => {
    writeFileSync(at('sparse'), '');
    truncateSync(at('sparse'), maxFileBytes + 1);
    for (const read of [readRegularFile, readNamedFile, readUnlessFolder])
      expect(() => read(at('sparse'))).toThrow('it is larger than 256 MiB');
  });

  it('do not change with the next read', () => {
    const first = readRegularFile(at('small'));
    writeFileSync(at('other'), 'zzzz');
    readRegularFile(at('other'));
    expect(first.toString()).toBe('a\n');
  });

  it.skipIf(!existsSync('/proc/self/status'))('are read to the end from a file whose size is not known to the system', () => {
    for (const read of [readRegularFile, readUnlessFolder]) expect(read('/proc/self/status')?.toString()).toContain('Name:');
  });
});
