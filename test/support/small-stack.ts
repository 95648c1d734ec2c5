import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from './run-command.js';

/** Runs the program with a small stack: how many levels fit into the usual one depends on V8's optimizations. */
export function runWithSmallStack(
  cwd: string,
  ...argv: readonly string[]
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--stack-size=400', path.join(root, 'bin/run.js'), ...argv], {
    cwd,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}
