import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import Accept from '../../commands/snapshot/accept.js';
import Clean from '../../commands/snapshot/clean.js';
import List from '../../commands/snapshot/list.js';
import Reject from '../../commands/snapshot/reject.js';
import Review from '../../commands/snapshot/review.js';
import { type CommandClass, type CommandResult, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const first = '# webhook-cli snapshot, format 1\n';
const stored = (image: string): string => `${first}calls:\n- webhooks:\n  - patch:\n    - value:\n        image: ${image}\ncase: a\n`;
const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';

let folder: string;
let remove: () => void;

beforeEach(() => {
  ({ folder, remove } = temporaryFolder({
    'a.yaml': manifest,
    'b.yaml': manifest,
    '__snapshots__/a.yaml': stored('nginx:1'),
    '__snapshots__/a.yaml.new': stored('nginx:2'),
    '__snapshots__/b.yaml.new': stored('redis:1'),
  }));
});
afterEach(() => remove());

const snapshots = (): string[] => readdirSync(path.join(folder, '__snapshots__')).sort();
const contents = (name: string): string => readFileSync(path.join(folder, '__snapshots__', name), 'utf8');

function run(command: CommandClass, argv: readonly string[] = [], keys?: string): Promise<CommandResult> {
  return runCommand(command, argv, { cwd: folder, ...(keys === undefined ? {} : { keys, isTerminal: true }), env: { NO_COLOR: '1' } });
}

describe('snapshot', () => {
  it('lists what is pending, and why', async () => {
    const { stdout } = await run(List);
    expect(stdout).toBe('mismatched __snapshots__/a.yaml\nnew        __snapshots__/b.yaml\n');
  });

  it('accepts all', async () => {
    const { stdout, exitCode } = await run(Accept, ['.']);
    expect([exitCode, stdout, snapshots(), contents('a.yaml')]).toEqual([
      0,
      'accepted __snapshots__/a.yaml\naccepted __snapshots__/b.yaml\n',
      ['a.yaml', 'b.yaml'],
      stored('nginx:2'),
    ]);
    expect((await run(Accept)).stdout).toBe('no pending snapshots\n');
  });

  it('rejects all, or one that is named', async () => {
    expect((await run(Reject, ['__snapshots__/b.yaml.new'])).stdout).toBe('rejected __snapshots__/b.yaml\n');
    expect(snapshots()).toEqual(['a.yaml', 'a.yaml.new']);
    await run(Reject);
    expect([snapshots(), contents('a.yaml')]).toEqual([['a.yaml'], stored('nginx:1')]);
  });

  it('removes obsolete snapshots and partial files of dead processes', async () => {
    writeFileSync(path.join(folder, '__snapshots__/gone.yaml'), stored('x'));
    writeFileSync(path.join(folder, '__snapshots__/gone.yaml.new'), stored('y'));
    writeFileSync(path.join(folder, '__snapshots__/.a.yaml.webhook-cli-4194305-0011aabb'), first);
    expect((await run(List)).stdout).toContain('obsolete   __snapshots__/gone.yaml.new\n');
    expect((await run(Clean)).stdout).toBe('removed __snapshots__/gone.yaml\nremoved __snapshots__/gone.yaml.new\n');
    expect(snapshots()).toEqual(['a.yaml', 'a.yaml.new', 'b.yaml.new']);
  });

  it.each([
    [
      'a conflict',
      `${first}<<<<<<< HEAD\ncase: a\n`,
      '__snapshots__/a.yaml:2: the snapshot contains unresolved merge conflict markers; resolve it',
    ],
    [
      'a newer format',
      '# webhook-cli snapshot, format 2\ncase: a\n',
      '__snapshots__/a.yaml:1: the snapshot has format 2, written by a newer version of webhook-cli; update webhook-cli',
    ],
    [
      'something else',
      'hello\n',
      '__snapshots__/a.yaml:1: the snapshot is not a snapshot: its first line has no format; move it out of the snapshot folder',
    ],
  ])('never replaces a snapshot with %s', async (_, text, sentence) => {
    writeFileSync(path.join(folder, '__snapshots__/a.yaml'), text);
    const { exitCode, stderr } = await run(Accept);
    expect([exitCode, stderr, contents('a.yaml')]).toEqual([3, `error: ${sentence}\n`, text]);
  });
});

describe('snapshot review', () => {
  it('shows the diff of each, and applies the pressed key', async () => {
    const { stdout, exitCode } = await run(Review, [], 'xAs');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('__snapshots__/a.yaml (1 of 2)\ncalls[0].webhooks[0].patch[0].value.image differs\n');
    expect(stdout).toContain('-        image: nginx:1\n+        image: nginx:2\n');
    expect(stdout).toContain('__snapshots__/b.yaml (2 of 2)\na new snapshot\n');
    expect(stdout.endsWith('skip\n1 accepted, 0 rejected, 1 left\n')).toBe(true);
    expect([snapshots(), contents('a.yaml')]).toEqual([['a.yaml', 'b.yaml.new'], stored('nginx:2')]);
  });

  it('rejects, and keeps the others when it is quit', async () => {
    const { stdout } = await run(Review, [], 'rq');
    expect([stdout.endsWith('0 accepted, 1 rejected, 1 left\n'), snapshots()]).toEqual([true, ['a.yaml', 'b.yaml.new']]);
  });

  it('accepts the rest', async () => {
    const { stdout } = await run(Review, [], 'st');
    expect(stdout.endsWith('accept the rest\n1 accepted, 0 rejected, 1 left\n')).toBe(true);
    expect(snapshots()).toEqual(['a.yaml', 'a.yaml.new', 'b.yaml']);
  });

  it('undoes decisions, one after the other', async () => {
    const { stdout } = await run(Review, [], 'uauruq');
    expect(stdout.match(/undo\n/g)).toHaveLength(2);
    expect(stdout.endsWith('quit\n0 accepted, 0 rejected, 2 left\n')).toBe(true);
    expect([snapshots(), contents('a.yaml'), contents('a.yaml.new'), contents('b.yaml.new')]).toEqual([
      ['a.yaml', 'a.yaml.new', 'b.yaml.new'],
      stored('nginx:1'),
      stored('nginx:2'),
      stored('redis:1'),
    ]);
  });

  it('is interrupted by the key for it', async () => {
    const { exitCode } = await run(Review, [], '\u0003');
    expect([exitCode, existsSync(path.join(folder, '__snapshots__/a.yaml.new'))]).toEqual([130, true]);
  });

  it('does not prompt without a terminal', async () => {
    const { exitCode, stderr } = await run(Review);
    expect([exitCode, stderr]).toEqual([2, 'error: snapshot review needs a terminal; use snapshot accept, or snapshot reject\n']);
  });
});
