import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('stack traces', { timeout: 20_000 }, () => {
  it('show the folder of no other installation that shares the code cache', () => {
    const { folder, remove } = temporaryFolder();
    const part =
      '(function (exports) { exports.processSurroundings = () => ({}); exports.main = async () => console.log(new Error("a").stack); })';
    const stacks = ['built', 'installed'].map(name => {
      const place = path.join(folder, name);
      mkdirSync(path.join(place, 'dist/bundle'), { recursive: true });
      mkdirSync(path.join(place, 'bin'));
      copyFileSync(path.join(root, 'bin/run.js'), path.join(place, 'bin/run.js'));
      writeFileSync(path.join(place, 'dist/bundle/program.json'), JSON.stringify({ hash: 'a', version: '', help: [] }));
      writeFileSync(path.join(place, 'dist/bundle/first-a.cjs'), part);
      return spawnSync(process.execPath, [path.join(place, 'bin/run.js'), 'review'], {
        env: { ...process.env, XDG_CACHE_HOME: path.join(folder, 'cache') },
        encoding: 'utf8',
      }).stdout;
    });
    const cached = readdirSync(path.join(folder, 'cache'), { recursive: true }).map(String);
    remove();
    expect(cached).toContainEqual(expect.stringMatching(/review-first\.v8$/));
    for (const stack of stacks) expect(stack).toContain('webhook-cli/first-a.cjs:1:');
    expect(stacks[1]).not.toContain(path.join(folder, 'built'));
  });
});
