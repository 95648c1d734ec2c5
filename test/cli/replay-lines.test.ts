import { rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { linesOfLogs } from '../../src/cli/commands/replay/log-lines.js';
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
  for await (const { line } of linesOfLogs(['-'], { cwd: '/', stdin })) {
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
  for await (const { source, line, text, broken } of linesOfLogs(['a', 'b', 'c'], { cwd: folder, stdin })) {
    rmSync(path.join(folder, 'b'), { force: true });
    read.push(`${source}:${line} ${broken ?? text}`);
  }
  remove();
  expect(read).toEqual(['a:1 {"a":1}', 'b:1 the file cannot be read from here on: no such file or directory', 'c:1 {"c":1}']);
});
