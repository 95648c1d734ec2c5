import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import Test from '../../../../commands/test.js';
import { seeded } from '../../../redaction/planted-secrets.js';
import { runCommand } from '../../../support/run-command.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { threadInProcess } from '../../../support/thread-in-process.js';
import { equalUid, stable } from './stable.js';

const count = 12;

const { folder, remove } = temporaryFolder();
afterAll(() => remove());

type Random = () => number;

function oneOf<T>(random: Random, values: readonly [T, ...T[]]): T {
  return values[Math.floor(random() * values.length)] ?? values[0];
}

/** Objects that the embedded webhook changes, refuses or does not see, that the API server refuses, and that nobody can read. */
function objectOf(random: Random, name: string): string {
  const container = { name: 'c', image: oneOf(random, ['nginx:1', 'nginx', 'registry.example.com/web:3', '']) };
  const labels = oneOf<object>(random, [{}, { app: 'web' }, { 'bad label': 'x' }, { 'webhook-cli.dev/demo': 'deny' }]);
  const metadata = { name, labels, annotations: { note: `${random()}`.slice(0, oneOf(random, [3, 6])) } };
  const spec = { containers: [container], restartPolicy: oneOf(random, ['Always', 'Sometimes']) };
  return oneOf(random, [
    JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata, spec }),
    JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: 'b' } }),
    JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata, stringData: { password: `p-${random()}` } }),
    `kind: Pod\nmetadata: [`,
  ]);
}

function writeSuite(seed: number): void {
  const random = seeded(seed * 1_000_003);
  const cases = Array.from({ length: 4 + Math.floor(random() * 10) }, (_, i) => {
    writeFileSync(path.join(folder, `o${i}.yaml`), objectOf(random, oneOf(random, [`o-${i}`, 'same', 'Bad_Name'])));
    const expected = oneOf(random, [undefined, { allowed: true }, { code: 422 }, { message: { matches: 'is' } }]);
    return {
      ...{ name: `case ${i}`, filename: `o${i}.yaml` },
      ...oneOf<object>(random, [{}, {}, { skip: 'later' }, { operation: 'update', old: `o${i}.yaml` }, { dryRun: true }]),
      ...(expected === undefined ? {} : { expect: expected }),
    };
  });
  const suite = { apiVersion: 'webhook-cli.dev/v1alpha1', kind: 'Suite', demo: true, cases };
  writeFileSync(path.join(folder, 's.webhook-test.yaml'), JSON.stringify(suite));
}

interface Written {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | undefined;
  readonly texts: readonly (readonly [file: string, text: string])[];
}

/** Returns everything that a run writes, without times. */
async function written(jobs: number): Promise<Written> {
  for (const name of ['__snapshots__', 'out']) rmSync(path.join(folder, name), { recursive: true, force: true });
  mkdirSync(path.join(folder, 'out'));
  const reporters = ['json', 'junit', 'markdown'].flatMap(name => ['--reporter', `${name}=out/${name}`]);
  const argv = ['s.webhook-test.yaml', '--update', '--seed=3', '--now=2026-01-02T03:04:05Z', '--concurrency=3', `--jobs=${jobs}`];
  const { stdout, stderr, exitCode } = await runCommand(Test, [...argv, '--reporter', 'default', ...reporters], {
    cwd: folder,
    env: { XDG_CACHE_HOME: '' },
    uid: equalUid,
    startThread: threadInProcess,
  });
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => /^(?:__snapshots__|out)./.test(name));
  const texts = files.sort().map(name => [name, stable(readFileSync(path.join(folder, name), 'utf8'))] as const);
  return { stdout: stable(stdout), stderr, exitCode, texts };
}

describe('random suites', { timeout: 120_000 }, () => {
  it('have equal results, in equal order, in one thread and in three', async () => {
    const outcomes = new Set<string>();
    for (let seed = 1; seed <= count; seed++) {
      writeSuite(seed);
      const [one, three] = [await written(1), await written(3)];
      expect(three, `seed ${seed}`).toEqual(one);
      for (const [, outcome = ''] of one.stdout.matchAll(/[1-9]\d* (passed|failed|broken|skipped)/g)) outcomes.add(outcome);
    }
    expect([...outcomes].sort()).toEqual(['broken', 'failed', 'passed', 'skipped']);
  });
});
