import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import Test from '../../../../commands/test.js';
import { jobsOf } from '../../../../src/cli/options/jobs.js';
import { type CommandResult, root, runCommand } from '../../../support/run-command.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { threadInProcess } from '../../../support/thread-in-process.js';
import { equalUid, stable } from './stable.js';

let folder: string;
let remove: () => void;

const pod = (name: string, image: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: {automountServiceAccountToken: false, containers: [{name: c, image: "${image}"}]}\n`;

/** Cases with every outcome, and with every kind of expectation that contains patterns or paths. */
const suite = `apiVersion: webhook-cli.dev/v1alpha1
kind: Suite
exec: [node, server.mjs, "\${PORT}", "\${CERTS}"]
services: {platform/webhook: "https://127.0.0.1:\${PORT}"}
state: [webhooks.yaml]
namespace: shop
redact: [{matches: "web:[0-9]+", as: "web:N"}, "metadata.annotations[*]"]
cases:
- {name: allowed, filename: own.yaml, expect: {allowed: true}}
- {name: denied, filename: foreign.yaml, expect: {code: 403, message: {matches: "is not from"}}}
- {name: fails, filename: foreign.yaml, expect: {allowed: true, message: {matches: "^nothing"}}}
- {name: unreadable, filename: missing.yaml}
- {name: skipped, filename: own.yaml, skip: later}
- {name: checked, filename: own.yaml, checks: [idempotent]}
- {name: many, filename: own.yaml, matrix: {namespace: [shop, default, kube-system]}}
`;

beforeEach(() => {
  const files = { 'own.yaml': pod('own', 'registry.example.com/web:3'), 'foreign.yaml': pod('foreign', 'nginx:1') };
  ({ folder, remove } = temporaryFolder({ ...files, 's.webhook-test.yaml': suite }));
  for (const name of ['server.mjs', 'webhooks.yaml']) cpSync(path.join(root, 'fixtures/suites/node', name), path.join(folder, name));
});
afterEach(() => remove());

interface Ran extends CommandResult {
  readonly threads: number;
  /** Reports and snapshots by file, without times and ports. */
  readonly files: Readonly<Record<string, string>>;
}

const reporters = ['json', 'junit', 'html', 'markdown'];

async function test(...argv: readonly string[]): Promise<Ran> {
  for (const name of ['__snapshots__', 'out']) rmSync(path.join(folder, name), { recursive: true, force: true });
  mkdirSync(path.join(folder, 'out'));
  let threads = 0;
  const all = [
    '.',
    '--update',
    '--seed=7',
    '--now=2026-01-02T03:04:05Z',
    // Each thread connects for its first call.
    '--fresh-connections',
    '--reporter=default',
    ...reporters.map(name => `--reporter=${name}=out/${name}`),
  ];
  const ran = await runCommand(Test, [...all, ...argv], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', XDG_CACHE_HOME: '' },
    uid: equalUid,
    startThread: surroundings => {
      threads += 1;
      return threadInProcess(surroundings);
    },
  });
  const written = ['__snapshots__', 'out'].flatMap(name => readdirSync(path.join(folder, name)).map(file => `${name}/${file}`));
  const files = Object.fromEntries(written.map(file => [file, stable(readFileSync(path.join(folder, file), 'utf8'))]));
  return { ...ran, stdout: stable(ran.stdout), threads, files };
}

describe('--jobs', { timeout: 60_000 }, () => {
  it('makes the reports and snapshots of one thread', async () => {
    const one = await test('--concurrency=3');
    const three = await test('--concurrency=3', '--jobs=3');
    expect([one.threads, three.threads]).toEqual([0, 2]);
    expect(one.stdout).toContain('6 passed, 1 failed, 1 broken, 1 skipped');
    expect(three.stdout).toBe(one.stdout);
    expect(three.files).toEqual(one.files);
    expect(Object.keys(one.files)).toHaveLength(reporters.length + 7);
    expect(three.exitCode).toBe(one.exitCode);
  });

  it('starts no thread for a suite whose cases all run at once', async () => {
    expect((await test('--jobs=2')).threads).toBe(0);
  });

  it('starts none by default for a suite of few cases', async () => {
    expect((await test('--concurrency=3', '--jobs=auto')).threads).toBe(0);
  });

  it.each(['0', '65', 'many'])('rejects %s', async jobs => {
    const { stderr, exitCode } = await runCommand(Test, ['.', `--jobs=${jobs}`], { cwd: folder });
    expect(stderr).toContain(`invalid --jobs ${JSON.stringify(jobs)}: expected an integer from 1 to 64, or auto`);
    expect(exitCode).toBe(2);
  });

  it.each<[number | 'auto' | undefined, readonly number[], number]>([
    [undefined, [999, 999], 1],
    [undefined, [1, 1000], availableParallelism()],
    ['auto', [1000], availableParallelism()],
    [3, [1], 3],
    [1, [1000], 1],
  ])('%s for suites of %j cases is %i threads', (jobs, cases, threads) => {
    expect(jobsOf(jobs, cases)).toBe(threads);
  });
});
