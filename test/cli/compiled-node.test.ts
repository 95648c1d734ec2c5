import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Returns how often V8 read compiled code, of Node's modules and of the program. */
function readsOfCode(argv: readonly string[], cache: string): number {
  const { stdout } = spawnSync(process.execPath, ['--profile-deserialization', ...argv], {
    cwd: root,
    env: { ...process.env, XDG_CACHE_HOME: cache },
    encoding: 'utf8',
  });
  return stdout.match(/^\[Deserializing from \d+ bytes/gm)?.length ?? 0;
}

describe('commands that set flags of V8', { timeout: 20_000 }, () => {
  it('load modules of Node with the compiled code that Node has of them', () => {
    const { folder, remove } = temporaryFolder();
    const program = path.join(root, 'bin/run.js');
    const start = readsOfCode([program, '--version'], folder);
    const plain = readsOfCode(['--require', 'node:crypto', '--require', 'node:net', program, '--version'], folder);
    const request = readsOfCode([program, 'request', '-f', 'fixtures/manifests/pod-sidecar.yaml'], folder);
    remove();
    expect(plain).toBeGreaterThan(start);
    expect(request).toBeGreaterThanOrEqual(plain);
  });
});
