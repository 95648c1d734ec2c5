import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import Test from '../../../commands/test.js';
import { withFullDisk } from '../../support/full-disk.js';
import { type CommandResult, runCommand } from '../../support/run-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const pod =
  'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {automountServiceAccountToken: false, containers: [{name: c, image: "nginx:1"}]}\n';

let folder: string;
let remove: () => void;

beforeEach(() => {
  ({ folder, remove } = temporaryFolder({ 'a.yaml': pod }));
});
afterEach(() => remove());

const test = (...argv: readonly string[]): Promise<CommandResult> =>
  runCommand(Test, ['.', '--demo', ...argv], { cwd: folder, env: { XDG_CACHE_HOME: '' } });
const file = (name = 'a.yaml'): string => path.join(folder, '__snapshots__', name);

describe('snapshot files', { timeout: 60_000 }, () => {
  it('match with CRLF line ends, and are not rewritten', async () => {
    await test('--update');
    const text = readFileSync(file(), 'utf8').replaceAll('\n', '\r\n');
    writeFileSync(file(), text);
    const { exitCode } = await test('--update');
    expect([exitCode, readFileSync(file(), 'utf8')]).toEqual([0, text]);
  });

  it.each([
    [
      'of a newer format',
      '# webhook-cli snapshot, format 2\na: b\n',
      '__snapshots__/a.yaml:1',
      'has format 2, written by a newer version of webhook-cli',
    ],
    [
      'in conflict',
      '# webhook-cli snapshot, format 1\na: b\n=======\na: c\n',
      '__snapshots__/a.yaml:3',
      'contains unresolved merge conflict markers',
    ],
    ['with invalid YAML', '# webhook-cli snapshot, format 1\na: [\n', '__snapshots__/a.yaml:', 'cannot be read: yaml: line'],
  ])('%s are refused with their position, and never replaced', async (_, text, place, sentence) => {
    mkdirSync(path.dirname(file()));
    writeFileSync(file(), text);
    const { exitCode, stdout } = await test('--update');
    expect([exitCode, readFileSync(file(), 'utf8')]).toEqual([3, text]);
    expect(stdout).toContain(`input: the snapshot ${sentence}`);
    expect(stdout).toContain(place);
  });

  it('that cannot be written are reported with the result, and leave no partial file', async () => {
    mkdirSync(file('a.yaml.new'), { recursive: true });
    const { exitCode, stdout } = await test();
    expect([exitCode, stdout]).toEqual([6, expect.stringContaining('write: the snapshot cannot be written: ')]);
    expect(stdout).toContain('__snapshots__/a.yaml');
    expect(readdirSync(file(''))).toEqual(['a.yaml.new']);
  });

  it.each([
    ['', []],
    [' with --update', ['--update']],
  ])('are not written on a full disk%s: nothing to decide on, and no empty folder', async (_, argv) => {
    const { exitCode, stdout } = await withFullDisk(folder, () => test(...argv));
    expect([exitCode, stdout]).toEqual([6, expect.stringContaining('write: the snapshot cannot be written: no space left on device\n')]);
    expect(stdout).not.toMatch(/snapshot review|ENOSPC/);
    expect(readdirSync(folder)).toEqual(['a.yaml']);
  });

  it('keep a folder that has others on a full disk', async () => {
    mkdirSync(file(''));
    writeFileSync(file('b.txt'), '');
    await withFullDisk(folder, () => test('--update'));
    expect(readdirSync(file(''))).toEqual(['b.txt']);
  });

  it('keep their mode, and partial files of a killed run are removed', async () => {
    await test('--update');
    writeFileSync(file(), readFileSync(file(), 'utf8').replace('nginx:1', 'nginx:0'), { mode: 0o644 });
    writeFileSync(file('.a.yaml.webhook-cli-4194305-0011aabb'), 'half');
    const { mode } = statSync(file());
    await test('--update');
    expect([readdirSync(file('')), statSync(file()).mode]).toEqual([['a.yaml'], mode]);
  });

  it('are not written for a case that fails otherwise, nor removed by a failed run', async () => {
    await test('--update');
    const before = readFileSync(file(), 'utf8');
    writeFileSync(
      path.join(folder, 'x.webhook-test.yaml'),
      'apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\ndemo: true\ncases: [{name: a, filename: a.yaml, expect: {code: 422}}]\n',
    );
    const { exitCode, stdout } = await test('--update');
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('code: code is 201 instead of 422')]);
    expect([readdirSync(file('')), readFileSync(file(), 'utf8')]).toEqual([['a.yaml', 'x.a.yaml.new'], before]);
  });
});
