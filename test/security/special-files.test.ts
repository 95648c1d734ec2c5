import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import Match from '../../commands/match.js';
import Replay from '../../commands/replay.js';
import ReportMerge from '../../commands/report/merge.js';
import Review from '../../commands/review.js';
import SnapshotList from '../../commands/snapshot/list.js';
import Test from '../../commands/test.js';
import { type CommandClass, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: a}]}\n';

let attacked: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  attacked = temporaryFolder({ 'pod.yaml': pod, 'm/pod.yaml': pod, 'suites/.keep': '' });
});
afterEach(() => attacked.remove());

const at = (name: string): string => path.join(attacked.folder, name);
const run = (command: CommandClass, ...argv: string[]) => runCommand(command, argv, { cwd: attacked.folder, env: {} });

/** Nobody writes to a named pipe, and a device never ends: reading either would never return. */
const kinds: readonly (readonly [string, (file: string) => unknown])[] = [
  ['a named pipe', file => execFileSync('mkfifo', [file])],
  ['a link to /dev/zero', file => symlinkSync('/dev/zero', file)],
];

describe.runIf(process.platform === 'linux').each(kinds)('%s that was found', (_, make) => {
  it('among manifests does not stop the others', { timeout: 30_000 }, async () => {
    make(at('m/x.yaml'));
    const { stdout, stderr, exitCode } = await run(Review, '--demo', '-f', 'm', '-o', 'name');
    expect([stdout, exitCode]).toEqual(['pod/a denied\n', 3]);
    expect(stderr).toMatch(/^error: m\/x\.yaml: cannot be read: it is not a regular file\n2 calls: /);
  });

  it('in a suite or a folder of manifests fails its case, and the others run', { timeout: 30_000 }, async () => {
    make(at('m/x.yaml'));
    const cases = ['pod', 'x']
      .map(name => `- {name: ${name}, filename: m/${name}.yaml, snapshot: false, expect: {allowed: false}}\n`)
      .join('');
    writeFileSync(at('s.webhook-test.yaml'), `apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\ndemo: true\ncases:\n${cases}`);
    const suite = await run(Test, 's.webhook-test.yaml');
    const folder = await run(Test, 'm', '--demo');
    for (const { stdout, exitCode } of [suite, folder]) {
      expect(exitCode).toBe(3);
      expect(stdout).toContain('input: cannot be read: it is not a regular file\n    m/x.yaml');
    }
    expect(suite.stdout).toContain('1 passed, 0 failed, 1 broken');
    // A new snapshot is not written with --check or in CI.
    expect(folder.stdout).toMatch(/^ {2}\S pod /m);
  });

  it('in a step of a case fails the case, and the others run', { timeout: 30_000 }, async () => {
    make(at('m/x.yaml'));
    const steps = [['filename: m/x.yaml'], ['filename: m/pod.yaml, old: m/x.yaml, operation: update'], ['filename: m/pod.yaml']];
    const cases = steps.map(([step], i) => `- {name: s${i}, snapshot: false, steps: [{${step}, expect: {allowed: false}}]}\n`).join('');
    writeFileSync(at('s.webhook-test.yaml'), `apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\ndemo: true\ncases:\n${cases}`);
    const { stdout, exitCode } = await run(Test, 's.webhook-test.yaml');
    expect(exitCode).toBe(3);
    expect(stdout.match(/input: .*cannot be read: it is not a regular file/g)).toHaveLength(2);
    expect(stdout).toContain('1 passed, 0 failed, 2 broken');
  });

  it.each<[string, string, CommandClass, readonly string[]]>([
    ['a suite', 'suites/a.webhook-test.yaml', Test, ['suites']],
    ['a state', 'm/x.yaml', Match, ['-f', 'pod.yaml', '--demo', '--state', 'm']],
    ['the CA', 'certs/ca.crt', Review, ['-f', 'pod.yaml', '--url', 'https://127.0.0.1:1/']],
    ['a checkpoint', 'progress', Replay, ['--demo', '-f', 'pod.yaml', '--checkpoint', 'progress']],
    ['a pending snapshot', 'm/__snapshots__/pod.yaml.new', SnapshotList, ['m']],
  ])('in place of %s is an error', { timeout: 30_000 }, async (__, file, command, argv) => {
    mkdirSync(path.dirname(at(file)), { recursive: true });
    make(at(file));
    const { stderr, exitCode } = await run(command, ...argv);
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('cannot be read: it is not a regular file')]);
  });

  it('in place of a snapshot breaks its case', { timeout: 30_000 }, async () => {
    await run(Test, 'm', '--demo', '--update');
    const [name = ''] = readdirSync(at('m/__snapshots__'));
    rmSync(at(`m/__snapshots__/${name}`));
    make(at(`m/__snapshots__/${name}`));
    const { stdout, exitCode } = await run(Test, 'm', '--demo');
    expect([exitCode, stdout]).toEqual([3, expect.stringContaining('the snapshot cannot be read: it is not a regular file')]);
  });
});

describe.runIf(process.platform === 'linux')('a device that the user named', { timeout: 60_000 }, () => {
  it.each<[string, CommandClass, readonly string[]]>([
    ['a manifest', Review, ['--demo', '-f', '/dev/zero']],
    ['a kubeconfig', Match, ['-f', 'pod.yaml', '--kubeconfig', '/dev/zero']],
    ['a report', ReportMerge, ['/dev/zero']],
  ])('as %s is read up to the limit', async (_, command, argv) => {
    const { stderr, exitCode } = await run(command, ...argv);
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('cannot be read: it is larger than 256 MiB')]);
  });
});
