import { expect, it } from 'vitest';
import { linesOfLogs } from '../../src/cli/replay/log-lines.js';
import type { InputStream } from '../../src/cli/surroundings.js';
import { testSurroundings } from '../support/run-command.js';

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
