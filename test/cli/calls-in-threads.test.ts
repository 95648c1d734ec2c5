import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Match from '../../commands/match.js';
import Request from '../../commands/request.js';
import Review from '../../commands/review.js';
import { seeded } from '../redaction/planted-secrets.js';
import { type CommandClass, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { threadInProcess } from '../support/thread-in-process.js';
import { stable } from './test/threads/stable.js';

let folder: string;
let remove: () => void;

beforeAll(() => {
  ({ folder, remove } = temporaryFolder({}));
});
afterAll(() => remove());

type Random = () => number;

function oneOf<T>(random: Random, values: readonly [T, ...T[]]): T {
  return values[Math.floor(random() * values.length)] ?? values[0];
}

/** Documents that are allowed, refused by a webhook or the API server, cannot be read, have no resource, or contain secrets. */
function documentOf(random: Random, i: number): string {
  const metadata = {
    name: oneOf(random, [`o-${i}`, 'same', 'Bad_Name']),
    labels: oneOf<object>(random, [{}, { app: 'web' }, { 'webhook-cli.dev/demo': 'deny' }]),
    ...oneOf<object>(random, [{}, {}, {}, { namespace: 'absent' }]),
  };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [{ name: 'c', image: oneOf(random, ['nginx', '']) }] } };
  return oneOf(random, [
    JSON.stringify(pod),
    JSON.stringify(pod),
    JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata, stringData: { password: `p-${random()}` } }),
    JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'absent' } }),
    JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Unknown', metadata }),
    '- a\n- b',
  ]);
}

function documents(seed: number): string {
  const random = seeded(seed * 1_000_003);
  return Array.from({ length: 1 + Math.floor(random() * 12) }, (_, i) => documentOf(random, i)).join('\n---\n');
}

interface Written {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | undefined;
}

async function written(command: CommandClass, argv: readonly string[], jobs: number | string, stdin?: string): Promise<Written> {
  const fixed = ['--seed=3', '--now=2026-01-02T03:04:05Z', `--jobs=${jobs}`];
  const { stdout, stderr, exitCode } = await runCommand(command, [...argv, ...fixed], {
    cwd: folder,
    startThread: threadInProcess,
    ...(stdin === undefined ? {} : { stdin }),
  });
  return { stdout: stable(stdout), stderr, exitCode };
}

const runs: readonly (readonly [CommandClass, readonly string[]])[] = [
  [Review, ['--demo', '-o', 'text']],
  [Review, ['--demo', '-o', 'json']],
  [Review, ['--demo', '-o', 'yaml']],
  [Request, []],
  [Match, ['--demo', '-o', 'json']],
  [Match, ['--demo', '--explain']],
];

describe('random documents', { timeout: 120_000 }, () => {
  it('have equal results, in equal order, in one thread and in three', async () => {
    const codes = new Set<number | undefined>();
    for (let seed = 1; seed <= 24; seed++) {
      writeFileSync(path.join(folder, 'all.yaml'), documents(seed));
      const [command, flags] = runs[seed % runs.length] ?? [Review, []];
      const argv = [...flags, '--independent', '-f', 'all.yaml'];
      const [one, three] = [await written(command, argv, 1), await written(command, argv, 3)];
      expect(three, `seed ${seed}`).toEqual(one);
      codes.add(one.exitCode);
    }
    expect([...codes].sort()).toEqual([1, 3]);
  });

  it('can come from stdin', async () => {
    const argv = ['--demo', '--independent', '-f', '-', '-o', 'json'];
    expect(await written(Review, argv, 3, documents(5))).toEqual(await written(Review, argv, 1, documents(5)));
  });
});

describe('kubectl lines of the only failure of a run', () => {
  const valid = (name: string): string => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
  const invalid = (name: string): string => JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers: [] } });

  it.each([
    ['one failure', [invalid('a'), valid('b'), valid('c')]],
    ['one failure at the end', [valid('a'), valid('b'), invalid('c')]],
    ['two failures', [invalid('a'), valid('b'), invalid('c')]],
  ])('%s', async (_, all) => {
    writeFileSync(path.join(folder, 'all.yaml'), all.join('\n---\n'));
    const argv = ['--demo', '--independent', '-f', 'all.yaml'];
    expect(await written(Review, argv, 3)).toEqual(await written(Review, argv, 1));
  });
});

describe('one thread makes the calls', () => {
  it('that see what earlier ones wrote, and says so if more were asked for', async () => {
    writeFileSync(path.join(folder, 'all.yaml'), documents(2));
    const { stderr, ...made } = await written(Review, ['--demo', '-f', 'all.yaml'], 2);
    expect(stderr).toContain('note: one thread makes the calls: each sees what earlier ones wrote, unless you pass --independent\n');
    const { stderr: own, ...alone } = await written(Review, ['--demo', '-f', 'all.yaml'], 'auto');
    expect(made).toEqual(alone);
    expect(own).not.toContain('note: one thread');
  });
});
