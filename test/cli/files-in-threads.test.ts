import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import Review from '../../commands/review.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { threadInProcess } from '../support/thread-in-process.js';
import { stable } from './test/threads/stable.js';

/** As many files as are read only when their turn comes. */
const manyFiles = 1040;

const { folder, remove } = temporaryFolder();
afterAll(() => remove());

function writeFiles(name: string, count: number, textOf: (i: number) => string): void {
  mkdirSync(path.join(folder, name, 'inner'), { recursive: true });
  for (let i = 0; i < count; i++) {
    const place = i % 2 === 0 ? '' : 'inner';
    writeFileSync(path.join(folder, name, place, `${String(i).padStart(4, '0')}.yaml`), textOf(i));
  }
}

function podNamed(name: string, labels: object = {}): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels },
    spec: { containers: [{ name: 'c', image: 'nginx' }] },
  });
}

/** Most files are empty, which takes less time. */
function podIn(i: number): string {
  if (i % 32 !== 0) return '';
  return podNamed(i % 3 === 0 ? 'same' : `p-${i}`);
}

const crd = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: { group: 'example.com', names: { kind: 'Thing', plural: 'things' }, scope: 'Namespaced', versions: [] },
});

const odd: readonly string[] = [
  '',
  '---\n---\n',
  'a: [',
  '- a\n- b',
  `${podNamed('first')}\n---\n${podNamed('second')}\n---\n{`,
  JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [JSON.parse(podNamed('in-list')), JSON.parse(podNamed('same'))] }),
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: twice}\ndata: {a: b, a: c}\n',
  '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"t"}}',
  crd,
  podNamed('denied', { 'webhook-cli.dev/demo': 'deny' }),
  'kind: Pod\n',
];

interface Written {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | undefined;
}

/** `--seed` numbers the calls, for which all files are read first. */
async function written(name: string, more: readonly string[], jobs: number): Promise<Written> {
  const argv = ['--demo', '--independent', '-R', '-f', name, '--now=2026-01-02T03:04:05Z', `--jobs=${jobs}`, ...more];
  const { stdout, stderr, exitCode } = await runCommand(Review, argv, { cwd: folder, startThread: threadInProcess });
  return { stdout: stable(stdout).replaceAll(uids, 'uid'), stderr, exitCode };
}

const uids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

describe('many files', { timeout: 120_000 }, () => {
  it.each(['text', 'json', 'yaml'])(
    'have the results of files that are all read first, in one thread and in three, as %s',
    async format => {
      writeFiles('odd', manyFiles, i => (i % 27 === 4 ? (odd[((i / 27) % odd.length) | 0] ?? '') : podIn(i)));
      const first = await written('odd', ['-o', format, '--seed=3'], 1);
      expect(first.stderr).toContain('unusable');
      expect(await written('odd', ['-o', format], 1)).toEqual(first);
      expect(await written('odd', ['-o', format], 3)).toEqual(first);
    },
  );

  it.each([
    ['of which one has an object', (i: number) => (i === 700 ? podNamed('only') : '')],
    ['of which one is refused', (i: number) => (i === 700 ? podNamed('Bad_Name') : podIn(i))],
    ['of which one cannot be read', (i: number) => (i === 700 ? 'a: [' : '')],
  ])('%s', async (_, textOf) => {
    writeFiles('few', manyFiles, textOf);
    const first = await written('few', ['-o', 'json', '--seed=3'], 1);
    expect(await written('few', ['-o', 'json'], 1)).toEqual(first);
    expect(await written('few', ['-o', 'json'], 3)).toEqual(first);
  });

  it('end with the error of a file in which nothing can be called', async () => {
    const event = {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      auditID: 'a',
      stage: 'ResponseComplete',
      verb: 'get',
      requestURI: '/version',
    };
    writeFiles('reads', manyFiles, i => (i === 700 ? JSON.stringify(event) : podIn(i)));
    const first = await written('reads', ['--seed=3'], 1);
    expect(first.stderr).toContain('reads/0700.yaml');
    for (const jobs of [1, 3]) {
      const { stderr, exitCode, stdout } = await written('reads', [], jobs);
      expect({ stderr, exitCode }).toEqual({ stderr: first.stderr, exitCode: first.exitCode });
      // Results of earlier files are already printed.
      expect(stdout).toContain('CREATE Pod default/p-32 by');
    }
  });

  it('without any object are an error', async () => {
    writeFiles('none', manyFiles, () => '');
    const first = await written('none', ['--seed=3'], 1);
    expect(first.stderr).toContain('no objects found in none/0000.yaml and 1039 more files');
    expect(await written('none', [], 1)).toEqual(first);
    expect(await written('none', [], 3)).toEqual(first);
  });
});
