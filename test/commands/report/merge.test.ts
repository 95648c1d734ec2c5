import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import ReportMerge from '../../../commands/report/merge.js';
import Test from '../../../commands/test.js';
import { type CommandResult, runCommand } from '../../support/run-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const pod = (name: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, namespace: shop}\nspec: {automountServiceAccountToken: false, containers: [{name: c, image: "nginx:1.27"}]}\n`;

const names = ['a', 'b', 'c', 'd', 'e', 'f'];
let folder: string;
let remove: () => void;

beforeEach(() => {
  ({ folder, remove } = temporaryFolder(Object.fromEntries(names.map(name => [`pods/${name}.yaml`, pod(name)]))));
});
afterEach(() => remove());

function test(argv: readonly string[]): Promise<CommandResult> {
  return runCommand(Test, ['pods', '--demo', ...argv], { cwd: folder, env: { XDG_CACHE_HOME: path.join(folder, '.cache') } });
}

function merge(argv: readonly string[]): Promise<CommandResult> {
  return runCommand(ReportMerge, argv, { cwd: folder });
}

/** Runs all shards, each with a report `N.json`. */
async function shards(count: number, argv: readonly string[] = []): Promise<string[]> {
  const files = Array.from({ length: count }, (_, i) => `${i + 1}.json`);
  for (const [i, file] of files.entries()) await test([`--shard=${i + 1}/${count}`, `--reporter=json=${file}`, ...argv]);
  return files;
}

const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
/** Values that differ in every run. */
const timeless = (report: string): string =>
  report.replace(/"(durationMs|startedAt)": [^,\n]*/g, '"$1": 0').replace(/time="[^"]*"/g, 'time="0"');

/** The time lines of an HTML report, as JSON. */
const dataIn = (html: string): string => / id="data"[^>]*>([^<]*)</.exec(html)?.[1] ?? '';

/** The kinds of the steps of the only call of each case. */
const stepsIn = (html: string): string[][] =>
  JSON.parse(dataIn(html)).entries.map(({ calls }: { calls: { steps: { kind: string }[] }[] }) =>
    (calls[0]?.steps ?? []).map(({ kind }) => kind),
  );

describe('report merge', { timeout: 60_000 }, () => {
  it('gives the report of a single run', async () => {
    await test(['--update']);
    const files = await shards(3, ['--check']);
    await test(['--check', '--reporter=junit=whole.xml', '--reporter=json=whole.json']);
    const { exitCode, stdout } = await merge([
      ...files.toReversed(),
      '--reporter=junit=merged.xml',
      '--reporter=json=merged.json',
      '--reporter=default',
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('6 passed, 0 failed') });
    expect(timeless(read('merged.xml'))).toBe(timeless(read('whole.xml')));
    const cases = (report: string): string[] =>
      JSON.parse(report).suites[0].cases.map(({ name, outcome }: { name: string; outcome: string }) => `${name} ${outcome}`);
    expect(cases(read('merged.json'))).toEqual(cases(read('whole.json')));
  });

  it('fails as the whole run would', async () => {
    await test(['--update']);
    writeFileSync(path.join(folder, 'pods/b.yaml'), pod('b').replace(':1.27', ''));
    const { exitCode, stdout } = await merge(await shards(2, ['--check']));
    expect(exitCode).toBe(1);
    expect(stdout).toContain('5 passed, 1 failed');
  });

  it('requires the report of a shard without cases, too', async () => {
    await test(['--update']);
    const files = await shards(12);
    expect(files.map(file => JSON.parse(read(file)).summary.passed).sort()).toContain(0);
    expect((await merge(files)).exitCode).toBe(0);
  });

  it('has the time lines of the shards that measured steps', async () => {
    await test(['--update']);
    const [first = '', second = ''] = await shards(2, ['--include=steps']);
    await test(['--shard=2/2', '--reporter=json=without.json']);
    const named = 'note: no time lines for the calls in without.json: write it with test --include steps --reporter json=FILE\n';
    expect((await merge([first, second, '--reporter=html=merged.html', '--reporter=json=merged.json'])).stderr).toBe('');
    expect((await merge([first, 'without.json', '--reporter=html=part.html'])).stderr).toBe(named);
    expect((await merge([first, 'without.json', '--reporter=tap'])).stderr).toBe('');
    expect(stepsIn(read('merged.html')).every(kinds => kinds[0] === 'request' && kinds.includes('webhook'))).toBe(true);
    const measured = stepsIn(read('part.html')).map(kinds => kinds.length > 0);
    expect(measured.toSorted()).toEqual(names.map((_, i) => i >= JSON.parse(read('without.json')).summary.passed));
    // Nothing is lost: merging the merged report gives the same time lines.
    await merge(['merged.json', '--reporter=html=again.html']);
    expect(dataIn(read('again.html'))).toBe(dataIn(read('merged.html')));
  });

  it('reports missing shards, and the results of the others', async () => {
    const [first = '', , third = ''] = await shards(3);
    const { exitCode, stdout, stderr } = await merge([first, third]);
    expect(exitCode).toBe(3);
    expect(stderr).toBe('error: missing shard 2 of 3; run it again with --shard 2/3, and pass its report\n');
    expect(stdout).toContain('note: missing shard 2 of 3');
  });

  it('converts the report of a single run', async () => {
    await test(['--update', '--reporter=json=run.json']);
    const { exitCode, stdout } = await merge(['run.json', '--reporter=tap']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^TAP version 14\n/);
  });

  it.each([
    [[], 2, 'error: no reports specified; pass files written with test --reporter json=FILE\n'],
    [['gone.json'], 3, 'error: gone.json: cannot be read: no such file or directory\n'],
    [
      ['pods/a.yaml'],
      3,
      "error: pods/a.yaml:1:1: not a report of a test run: invalid character 'a' looking for beginning of value; pass a file written with test --reporter json=FILE\n",
    ],
    [
      ['1.json', '1.json'],
      3,
      'error: these are not the shards of one run: 1.json is shard 1 of 1, and so is 1.json; pass each shard exactly once\n',
    ],
  ])('refuses %j', async (argv, exitCode, stderr) => {
    await shards(1);
    expect(await merge(argv)).toEqual({ stdout: '', stderr, exitCode });
  });
});
