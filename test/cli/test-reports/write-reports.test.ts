import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseFlag } from '../../../src/cli/options/parse-flag.js';
import { reporterValue } from '../../../src/cli/options/reporter.js';
import { reporterChoices } from '../../../src/cli/work/test-reports/choices.js';
import { startReports, writeReports } from '../../../src/cli/work/test-reports/write-reports.js';
import { CliError } from '../../../src/client/cli-error.js';
import { defaultReport } from '../../../src/reports/suites/default.js';
import type { TestRun } from '../../../src/suites/results.js';
import { eventfulRun, failed, passed, plain, runOf, skipped, suiteOf } from '../../reports/suites/example-run.js';
import { testSurroundings } from '../../support/run-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const parsed = (text: string) => parseFlag('reporter', text, reporterValue);

const green = runOf([suiteOf([passed('a')])]);

/** Writes the reports of a run to a folder; returns stdout and the thrown error. */
async function written(
  run: TestRun,
  { words, cwd, env = {} }: { readonly words: readonly string[]; readonly cwd: string; readonly env?: Record<string, string> },
): Promise<{ readonly stdout: string; readonly error: CliError | undefined }> {
  const streams = { stdout: '', stderr: '' };
  const surroundings = testSurroundings({ cwd, env }, streams);
  try {
    await writeReports(run, {
      choices: reporterChoices(words.map(parsed), cwd),
      toolVersion: '0.1.0',
      surroundings,
      noColor: false,
      withSteps: false,
    });
    return { stdout: streams.stdout, error: undefined };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { stdout: streams.stdout, error };
  }
}

const folders: ReturnType<typeof temporaryFolder>[] = [];
afterAll(() => {
  for (const made of folders) made.remove();
});

function newFolder(): string {
  const made = temporaryFolder();
  folders.push(made);
  return made.folder;
}

describe('the reports of a run', () => {
  it('go to stdout and to files, in folders made for them, and nothing else is left', async () => {
    const cwd = newFolder();
    const { stdout, error } = await written(green, {
      words: ['default', 'junit=out/junit.xml', 'tap=out/all.tap', 'html=out/index.html'],
      cwd,
    });
    expect(error).toBeUndefined();
    expect(stdout).toContain('1 passed, 0 failed');
    expect(readFileSync(path.join(cwd, 'out/junit.xml'), 'utf8')).toContain('<testcase name="a"');
    expect(readFileSync(path.join(cwd, 'out/all.tap'), 'utf8')).toMatch(/^TAP version 14\n/);
    expect(readdirSync(path.join(cwd, 'out')).sort()).toEqual(['all.tap', 'index.html', 'junit.xml']);
  });

  it('print a suite as soon as it has ended, but none whose cases are all of other shards', async () => {
    const streams = { stdout: '', stderr: '' };
    const surroundings = testSurroundings({}, streams);
    const { onSuite, end } = startReports({
      choices: reporterChoices(undefined, '/'),
      toolVersion: '0.1.0',
      surroundings,
      noColor: false,
      withSteps: false,
    });
    onSuite(suiteOf([{ ...skipped('b'), elsewhere: true }], { name: 'others' }));
    expect(streams.stdout).toBe('');
    onSuite(suiteOf([passed('a')]));
    expect(streams.stdout).toBe('pods suites/pods.webhook-test.yaml\n  ✓ a  3 ms\n\n');
    await end(green);
    expect(streams.stdout).toBe(defaultReport(green, plain));
  });

  it('replace those of an earlier run', async () => {
    const cwd = newFolder();
    writeFileSync(path.join(cwd, 'report.json'), 'x'.repeat(100_000));
    await written(green, { words: ['json=report.json'], cwd });
    expect(JSON.parse(readFileSync(path.join(cwd, 'report.json'), 'utf8')).summary.passed).toBe(1);
  });

  it('say that a run was interrupted', async () => {
    const cwd = newFolder();
    await written(eventfulRun, { words: ['json=report.json'], cwd });
    expect(JSON.parse(readFileSync(path.join(cwd, 'report.json'), 'utf8')).complete).toBe(false);
  });

  it('fail with write-failed when one cannot be written, and write all others', async () => {
    const cwd = newFolder();
    writeFileSync(path.join(cwd, 'file'), '');
    mkdirSync(path.join(cwd, 'folder'));
    const { stdout, error } = await written(green, { words: ['default', 'junit=file/junit.xml', 'sarif=folder', 'tap=all.tap'], cwd });
    expect(error?.code).toBe('write-failed');
    expect(error?.location).toEqual({ file: 'file/junit.xml' });
    expect(error?.message).toBe('the junit report cannot be written: exists and is not a directory');
    expect(stdout).toContain('1 passed');
    expect(existsSync(path.join(cwd, 'all.tap'))).toBe(true);
  });

  it('write to a pipe or a device without replacing it', async () => {
    const cwd = newFolder();
    mkdirSync(path.join(cwd, 'folder'));
    const { error } = await written(green, { words: ['sarif=folder'], cwd });
    expect(error?.message).toBe('the sarif report cannot be written: is a directory');
    expect(readdirSync(cwd)).toEqual(['folder']);
  });

  it("append to the job's summary for GitHub only", async () => {
    const cwd = newFolder();
    const summary = path.join(cwd, 'summary.md');
    writeFileSync(summary, 'before\n');
    const env = { GITHUB_STEP_SUMMARY: summary };
    await written(green, { words: ['default'], cwd, env });
    expect(readFileSync(summary, 'utf8')).toBe('before\n');
    await written(green, { words: ['default', 'github'], cwd, env });
    expect(readFileSync(summary, 'utf8')).toMatch(/^before\n## webhook-cli: 1 passed\n/);
    const { error } = await written(green, { words: ['github'], cwd, env: { GITHUB_STEP_SUMMARY: cwd } });
    expect(error).toMatchObject({ code: 'write-failed', message: "the job's summary cannot be written: is a directory" });
  });

  it('name files from the root of the repository for GitHub and code scanning', async () => {
    const workspace = newFolder();
    const cwd = path.join(workspace, 'deploy');
    mkdirSync(cwd);
    const { stdout } = await written(runOf([suiteOf([failed('a')])]), { words: ['github'], cwd, env: { GITHUB_WORKSPACE: workspace } });
    expect(stdout).toMatch(/^::error file=deploy\/suites\/pods.webhook-test.yaml,/);
  });
});

describe('--reporter', () => {
  const expected = 'NAME or NAME=FILE with one of the names default, junit, tap, sarif, github, json, markdown, html';

  it('is default when it is not given', () => {
    expect(reporterChoices(undefined, '/')).toEqual([{ name: 'default', file: undefined }]);
    expect(reporterChoices(['junit=a=b.xml', 'default', 'github'].map(parsed), '/')).toEqual([
      { name: 'junit', file: 'a=b.xml' },
      { name: 'default', file: undefined },
      { name: 'github', file: undefined },
    ]);
  });

  it.each([
    [['jnuit=a.xml'], `invalid --reporter "jnuit=a.xml": expected ${expected}`, 'did you mean junit?'],
    [['toString'], `invalid --reporter "toString": expected ${expected}`, undefined],
    [['junit='], `invalid --reporter "junit=": expected ${expected}`, undefined],
    [['default', 'json'], 'the reporters default and json cannot share stdout', 'write one to a file, as in --reporter json=FILE'],
    [['default', 'default'], 'the reporters default and default cannot share stdout', 'write one to a file, as in --reporter default=FILE'],
    [['tap=a', 'json=./a'], `two reporters would write the file ${path.resolve('/', 'a')}`, 'use a different file for each'],
  ])('refuses %j', (words, message, suggestion) => {
    expect(() => reporterChoices(words.map(parsed), '/')).toThrow(
      expect.objectContaining({ message, suggestions: suggestion === undefined ? [] : [suggestion], code: 'usage' }),
    );
  });
});
