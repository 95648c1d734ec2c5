import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import Test from '../../commands/test.js';
import { type CommandResult, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const pod = (name: string, image: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, namespace: shop}\nspec: {automountServiceAccountToken: false, containers: [{name: c, image: "${image}"}]}\n`;

let folder: string;
let remove: () => void;

beforeEach(() => {
  ({ folder, remove } = temporaryFolder({ 'good.yaml': pod('good', 'nginx:1.27'), 'bad.yaml': pod('bad', 'nginx') }));
});
afterEach(() => remove());

/** Writes nothing outside the folder. */
function test(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
  return runCommand(Test, [...argv, '--demo'], { cwd: folder, env: { XDG_CACHE_HOME: path.join(folder, '.cache'), ...env } });
}

const snapshot = (name: string): string => path.join(folder, '__snapshots__', name);
const lastLines = (text: string): string =>
  text
    .replace(/ +\(\d.*\)$/gm, '')
    .trimEnd()
    .split('\n')
    .slice(-1)
    .join('\n');

describe('test on a folder of manifests', { timeout: 60_000 }, () => {
  it('stores new snapshots as pending, accepts them with --update, and then matches them', async () => {
    const first = await test(['.']);
    expect([first.exitCode, readdirSync(snapshot('')).sort()]).toEqual([1, ['bad.yaml.new', 'good.yaml.new']]);
    const second = await test(['.', '--update']);
    expect([second.exitCode, readdirSync(snapshot('')).sort()]).toEqual([0, ['bad.yaml', 'good.yaml']]);
    const third = await test(['.', '--check']);
    expect([third.exitCode, lastLines(third.stdout)]).toEqual([0, '2 passed, 0 failed']);
  });

  it('names the field that differs, shows the diff and leaves the new one for a decision', async () => {
    await test(['.', '--update']);
    writeFileSync(path.join(folder, 'bad.yaml'), pod('bad', 'redis'));
    const { exitCode, stdout } = await test(['.']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('snapshot: calls[0].decision.status.message differs from the snapshot');
    expect(stdout).toContain('not "redis"');
    expect(readFileSync(snapshot('bad.yaml'), 'utf8')).toContain('not "nginx"');
    expect(readFileSync(snapshot('bad.yaml.new'), 'utf8')).toContain('not "redis"');
  });

  it('removes a pending snapshot when the old one matches again', async () => {
    await test(['.', '--update']);
    writeFileSync(path.join(folder, 'bad.yaml'), pod('bad', 'redis'));
    await test(['.']);
    writeFileSync(path.join(folder, 'bad.yaml'), pod('bad', 'nginx'));
    const { exitCode } = await test(['.']);
    expect([exitCode, existsSync(snapshot('bad.yaml.new'))]).toEqual([0, false]);
  });

  it.each([['--check'], ['CI']])('writes nothing with %s, and a missing snapshot fails', async how => {
    const { exitCode, stdout } = await test(how === 'CI' ? ['.'] : ['.', how], how === 'CI' ? { CI: 'true' } : {});
    expect([exitCode, existsSync(snapshot(''))]).toEqual([1, false]);
    expect(stdout).toMatch(/missing snapshot \S*__snapshots__\S+: --check does not write it/);
    expect(stdout).not.toContain('snapshot review');
  });

  it('fails for obsolete and for pending snapshots with --check only', async () => {
    await test(['.', '--update']);
    writeFileSync(snapshot('gone.yaml'), readFileSync(snapshot('good.yaml')));
    expect((await test(['.'])).exitCode).toBe(0);
    expect((await test(['.', '--check'])).exitCode).toBe(1);
    rmSync(snapshot('gone.yaml'));
    writeFileSync(snapshot('good.yaml.new'), readFileSync(snapshot('good.yaml')));
    const pending = await test(['.', '--check']);
    expect([pending.exitCode, pending.stdout]).toEqual([1, expect.stringContaining('a pending snapshot needs a decision')]);
  });

  it('removes obsolete snapshots with --update, but not those of cases left out, nor after a failure', async () => {
    await test(['.', '--update']);
    writeFileSync(snapshot('gone.yaml'), readFileSync(snapshot('good.yaml')));
    writeFileSync(path.join(folder, 'broken.yaml'), 'kind: Pod\n');
    expect((await test(['.', '--update'])).exitCode).toBe(3);
    expect(existsSync(snapshot('gone.yaml'))).toBe(true);
    rmSync(path.join(folder, 'broken.yaml'));
    await test(['.', '--update', '--run', '^good$']);
    expect(readdirSync(snapshot('')).sort()).toEqual(['bad.yaml', 'good.yaml']);
  });

  it('does not write files that are up to date', async () => {
    await test(['.', '--update']);
    const before = statSync(snapshot('good.yaml')).mtimeMs;
    await test(['.', '--update']);
    expect(statSync(snapshot('good.yaml')).mtimeMs).toBe(before);
  });

  it('rejects unknown reporters first', async () => {
    const { exitCode, stderr } = await test(['nowhere', '--reporter', 'junti']);
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringMatching(/^error: invalid --reporter "junti": expected NAME or NAME=FILE with one of .*; did you mean junit\?\n$/),
    ]);
  });
});
