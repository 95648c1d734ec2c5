import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import Review from '../../commands/review.js';
import { root, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let folder: string;
let remove: () => void;

/** A checkout with suites, and the program under the names used in the pipelines. */
beforeEach(() => {
  ({ folder, remove } = temporaryFolder({
    'bin/webhook-cli': `#!/bin/sh\nexec "${process.execPath}" "${path.join(root, 'bin/run.js')}" "$@"\n`,
    'bin/npx': '#!/bin/sh\nexec "$@"\n',
  }));
  for (const name of readdirSync(path.join(folder, 'bin'))) chmodSync(path.join(folder, 'bin', name), 0o755);
  for (const name of ['demo', 'manifests'])
    cpSync(path.join(root, 'fixtures/suites', name), path.join(folder, 'suites', name), { recursive: true });
  for (const name of ['operations', 'objects']) cpSync(path.join(root, 'fixtures', name), path.join(folder, name), { recursive: true });
});
afterEach(() => remove());

/** The machines of a pipeline share the code cache of the program. */
const cache = temporaryFolder();
afterAll(() => cache.remove());

interface Ran {
  readonly status: number | null;
  readonly output: string;
}

/** Runs a line as the pipeline's shell would. */
function shell(line: string, env: Readonly<Record<string, string>> = {}): Ran {
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', line], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: `${path.join(folder, 'bin')}:${process.env['PATH']}`, HOME: folder, XDG_CACHE_HOME: cache.folder, CI: 'true', ...env },
  });
  return { status, output: stdout + stderr };
}

// biome-ignore lint/suspicious/noExplicitAny: pipelines are untyped YAML
function documents(file: string): any[] {
  return parseAllDocuments(readFileSync(path.join(root, 'fixtures/ci', file), 'utf8')).map(document => document.toJS());
}

function steps(job: { readonly steps: readonly { readonly run?: string }[] }): string[] {
  return job.steps.flatMap(({ run }) => (run?.includes('webhook-cli') === true ? [run] : []));
}

/** Returns the line with GitHub's expressions replaced. */
function filled(line: string, shard: number, total: number): string {
  const values: Readonly<Record<string, number>> = { 'matrix.shard': shard, 'strategy.job-total': total };
  return line.replace(/\$\{\{ (\S+) \}\}/g, (_, name: string) => String(values[name]));
}

/** Cases of the demo's suite. */
const all = readFileSync(path.join(root, 'fixtures/suites/demo/pods.webhook-test.yaml'), 'utf8').match(/^- name: /gm)?.length ?? 0;

function expectWhole({ status, output }: Ran, reports: string, html: string): void {
  expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(/\n\d+ passed, 0 failed/) });
  const passed = Number(/(\d+) passed/.exec(output)?.[1]);
  expect(all).toBeGreaterThan(0);
  expect(passed).toBeGreaterThanOrEqual(all);
  const parts = readdirSync(reports).filter(name => name.endsWith('.json'));
  const sums = parts.map(name => JSON.parse(readFileSync(path.join(reports, name), 'utf8')).summary.passed);
  expect([parts.length, sums.reduce((sum, count) => sum + count, 0)]).toEqual([3, passed]);
  expect(readFileSync(html, 'utf8')).toMatch(/^<!doctype html>/);
}

describe('suites that run on several machines', { timeout: 120_000 }, () => {
  it('with a matrix of GitHub Actions', () => {
    const [{ jobs }] = documents('github-actions.yml');
    const { shard } = jobs.test.strategy.matrix;
    const [line = ''] = steps(jobs.test);
    for (const index of shard) expect(shell(filled(line, index, shard.length))).toMatchObject({ status: 0 });
    const summary = path.join(folder, 'summary.md');
    const [merge = ''] = steps(jobs.report);
    expectWhole(shell(merge, { GITHUB_STEP_SUMMARY: summary }), path.join(folder, 'reports'), path.join(folder, 'report.html'));
    expect(readFileSync(summary, 'utf8')).toMatch(/^## webhook-cli: \d+ passed(?:, \d+ skipped)?\n/);
  });

  it('with a parallel job of GitLab', () => {
    const [pipeline] = documents('gitlab-ci.yml');
    const { parallel, script } = pipeline.webhook;
    for (let index = 1; index <= parallel; index += 1) {
      const ran = shell(script.join('\n'), { CI_NODE_INDEX: String(index), CI_NODE_TOTAL: String(parallel) });
      expect(ran).toMatchObject({ status: 0 });
    }
    const merged = shell(pipeline['webhook-report'].script.join('\n'));
    expectWhole(merged, path.join(folder, 'reports'), path.join(folder, 'report.html'));
    const names = readFileSync(path.join(folder, 'junit.xml'), 'utf8').match(/<testcase name="[^"]*"/g) ?? [];
    expect(names.length).toBeGreaterThanOrEqual(all);
    expect(new Set(names).size).toBe(names.length);
  });

  it('with an Indexed Job of Kubernetes', () => {
    const [test, report] = documents('indexed-job.yaml').map(({ spec }) => ({ ...spec, ...spec.template.spec.containers[0] }));
    const reports = path.join(folder, 'volume');
    mkdirSync(reports);
    const envOf = (container: { readonly env: readonly { readonly name: string; readonly value: string }[] }): Record<string, string> => ({
      ...Object.fromEntries(container.env.map(({ name, value }) => [name, value])),
      REPORTS: reports,
    });
    expect(envOf(test)['SHARDS']).toBe(String(test.completions));
    for (let index = 0; index < test.completions; index += 1) {
      expect(shell(test.command[2], { ...envOf(test), JOB_COMPLETION_INDEX: String(index) })).toMatchObject({ status: 0 });
    }
    expectWhole(shell(report.command[2], envOf(report)), reports, path.join(reports, 'report.html'));
  });

  it('report a missing shard', () => {
    const [pipeline] = documents('gitlab-ci.yml');
    shell(pipeline.webhook.script.join('\n'), { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '2' });
    const { status, output } = shell(pipeline['webhook-report'].script.join('\n'));
    expect({ status, output }).toEqual({ status: 3, output: expect.stringContaining('error: missing shard 2 of 2') });
  });

  it('fail where a part fails, and the report shows why', () => {
    writeFileSync(path.join(folder, 'suites/demo/more.webhook-test.yaml'), suiteThatFails);
    const [{ jobs }] = documents('github-actions.yml');
    const [line = ''] = steps(jobs.test);
    const statuses = [1, 2, 3].map(index => shell(filled(line, index, 3)).status);
    expect(statuses.sort()).toEqual([0, 0, 1]);
    const { status, output } = shell(steps(jobs.report)[0] ?? '');
    expect(status).toBe(1);
    expect(output).toContain('::error file=suites/demo/more.webhook-test.yaml,line=9,col=');
  });
});

describe('the pipelines of docs/pipelines.md', { timeout: 60_000 }, () => {
  const page = readFileSync(path.join(root, 'docs/pipelines.md'), 'utf8');
  const blocks = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block = '']) => parseAllDocuments(block)[0]?.toJS());
  const version = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version;
  /** As npx would run the program of a registry. */
  const local = (line: string): string => line.replace(`npx --yes webhook-cli@${version} `, 'webhook-cli ');

  beforeEach(() => writeFileSync(path.join(folder, 'suites/demo/more.webhook-test.yaml'), suiteThatFails));

  it('annotate a pull request on GitHub', () => {
    const [workflow] = blocks;
    const [line = ''] = steps(workflow.jobs.test);
    const { status, output } = shell(local(line), { WEBHOOK_CLI_TRUST: '1' });
    expect({ status, output }).toEqual({
      status: 1,
      output: expect.stringMatching(/^::error file=suites\/demo\/more\.webhook-test\.yaml,line=9,/m),
    });
    expect(output).not.toContain('snapshot review');
  });

  it('write the report of a job on GitLab', () => {
    const { script, artifacts } = blocks.find(block => 'webhook tests' in block)['webhook tests'];
    expect(shell(local(script.join('\n')), { WEBHOOK_CLI_TRUST: '1' }).status).toBe(1);
    expect(readFileSync(path.join(folder, artifacts.reports.junit), 'utf8')).toContain('<failure');
  });

  it('have the inputs of the action and the hooks of pre-commit', () => {
    const read = (file: string) => parseAllDocuments(readFileSync(path.join(root, file), 'utf8'))[0]?.toJS();
    const action = blocks.find(block => Array.isArray(block) && block[0].uses?.endsWith('/webhook-cli@v0'))[0];
    expect(Object.keys(read('action.yml').inputs)).toEqual(expect.arrayContaining(Object.keys(action.with)));
    const known = read('.pre-commit-hooks.yaml').map(({ id }: { id: string }) => id);
    expect(blocks.at(-1).repos[0].hooks.map(({ id }: { id: string }) => id)).toEqual(known);
  });
});

const suiteThatFails = `apiVersion: webhook-cli.dev/v1alpha1
kind: Suite
name: more
demo: true
cases:
- name: privileged
  filename: ../manifests/privileged.yaml
  snapshot: false
  expect: {allowed: true}
`;

describe('the Indexed Job', { timeout: 60_000 }, () => {
  it('is accepted by an API server', async () => {
    const { exitCode, stdout } = await runCommand(Review, ['--demo', '-f', 'fixtures/ci/indexed-job.yaml', '-o', 'name']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'job.batch/webhook-test allowed\njob.batch/webhook-report allowed\n' });
  });
});
