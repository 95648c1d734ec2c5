import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findConcernedSuites, ownWrites } from '../../src/cli/commands/dev/run-dev.js';
import { readSuite } from '../../src/suites/reading/suite-file.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('files that a process writes itself', () => {
  it('are those that change at three starts in a row', () => {
    const found: string[] = [];
    const { withoutOwn } = ownWrites(file => found.push(file));
    const left = [true, true, true, true].map(isRightAfterStart => withoutOwn(['log'], isRightAfterStart));
    expect([left, found]).toEqual([[['log'], ['log'], [], []], ['log']]);
  });

  it('are not those that somebody edits in between', () => {
    const { withoutOwn } = ownWrites(() => {});
    const left = [true, true, false, true, true].map(isRightAfterStart => withoutOwn(['rule'], isRightAfterStart));
    expect(left.every(files => files.length === 1)).toBe(true);
  });
});

describe('suites that changed files concern', () => {
  it.each([
    ['pod.yaml', true, false],
    ['state.yaml', true, false],
    ['own.webhook-test.yaml', true, false],
    ['main.go', true, true],
    ['server.log', false, false],
  ])('%s', async (file, isRerun, isRestart) => {
    const text =
      'apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\nexec: x\nurl: https://127.0.0.1:1/\nstate: [state.yaml]\ncases: [{name: a, filename: pod.yaml}]\n';
    const { folder, remove } = temporaryFolder({ '.gitignore': '*.log\n' });
    execFileSync('git', ['init', '--quiet'], { cwd: folder });
    const suite = readSuite(Buffer.from(text), { file: 'own.webhook-test.yaml', whole: true });
    const known = new Set([suite.file]);
    const { rerun, restart } = await findConcernedSuites([path.join(folder, file)], [suite], { cwd: folder, inputs: [], known });
    remove();
    expect([rerun.length > 0, restart.length > 0]).toEqual([isRerun, isRestart]);
  });
  it.each([true, false])('run no program of the configuration of git, in a bare repository: %s', async isBare => {
    const text =
      'apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\nexec: x\nurl: https://127.0.0.1:1/\ncases: [{name: a, filename: pod.yaml}]\n';
    const { folder, remove } = temporaryFolder({});
    const git = (...argv: string[]) => execFileSync('git', argv, { cwd: folder });
    git('init', '--quiet', ...(isBare ? ['--bare'] : []), '.');
    if (isBare)
      for (const [name = '', value = ''] of [
        ['core.bare', 'false'],
        ['core.worktree', '.'],
      ])
        git('config', name, value);
    git('config', 'core.fsmonitor', `touch ${path.join(folder, 'ran')}; false`);
    const suite = readSuite(Buffer.from(text), { file: 'own.webhook-test.yaml', whole: true });
    const known = new Set([suite.file]);
    const { restart } = await findConcernedSuites([path.join(folder, 'main.go')], [suite], { cwd: folder, inputs: [], known });
    const ran = existsSync(path.join(folder, 'ran'));
    remove();
    expect([ran, restart.length]).toEqual([false, 1]);
  });
});
