import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import Test from '../../commands/test.js';
import { root, runCommand } from '../support/run-command.js';

const folder = path.join(root, 'fixtures/injector');
const env = { PATH: process.env['PATH'] ?? '', XDG_CACHE_HOME: '' };

describe('the suite of a small mesh', { timeout: 120_000 }, () => {
  it('passes with the injectors of both revisions, and its snapshots show the injected pods', async () => {
    const { exitCode, stdout } = await runCommand(Test, ['.', '--check'], { cwd: folder, env });
    const cases = readdirSync(path.join(folder, '__snapshots__')).length;
    expect(stdout).toContain(`snapshots: ${cases} matched\n${cases} passed, 0 failed`);
    expect(exitCode).toBe(0);
  });
});
