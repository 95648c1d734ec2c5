import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly 'working-directory'?: string;
}

interface Job {
  readonly needs?: readonly string[];
  readonly 'runs-on': string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly include: readonly object[] } };
  readonly environment?: string;
  readonly steps: readonly Step[];
}

function document<T>(file: string): T {
  return parse(readFileSync(path.join(root, file), 'utf8')) as T;
}

/** Checks a step against GitHub's schema of steps; its shell text must not contain what a stranger wrote. */
function expectStep(step: Step): void {
  const known = ['name', 'id', 'if', 'uses', 'run', 'shell', 'with', 'env', 'working-directory'];
  expect(Object.keys(step).filter(key => !known.includes(key))).toEqual([]);
  expect((step.uses === undefined) !== (step.run === undefined)).toBe(true);
  if (step.uses !== undefined) expect(step.uses).toMatch(/^[\w-]+(?:\/[\w-]+)+@[0-9a-f]{40}$/);
  if (step.run !== undefined) {
    expect(step.with).toBeUndefined();
    expect(step.run).not.toContain('${{');
    for (const [, script = ''] of step.run.matchAll(/(?:node|bash) (\S*\/\S+)/g)) expect(existsSync(path.join(root, script))).toBe(true);
  }
}

describe('the workflow of pull requests', () => {
  const workflow = document<{ on: object; permissions: object; jobs: Record<string, Job> }>('.github/workflows/ci.yml');
  const text = readFileSync(path.join(root, '.github/workflows/ci.yml'), 'utf8');

  it("has the fields of GitHub's schema, and actions pinned by digest", () => {
    expect(Object.keys(workflow)).toEqual(['name', 'on', 'permissions', 'concurrency', 'jobs']);
    for (const job of Object.values(workflow.jobs)) {
      const known = ['runs-on', 'strategy', 'timeout-minutes', 'steps'];
      expect(Object.keys(job).filter(key => !known.includes(key))).toEqual([]);
      job.steps.forEach(expectStep);
    }
    expect(text.match(/uses: .*/g)).toEqual(text.match(/uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+/g));
  });

  it('tests each supported Node, the oldest and the newest on each system, without permissions', () => {
    const { engines }: { readonly engines: { readonly node: string } } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    const tested = (workflow.jobs['test']?.strategy?.matrix.include ?? []) as readonly { readonly runner: string; readonly node: number }[];
    const on = (system: string): number[] => tested.filter(({ runner }) => runner.startsWith(system)).map(({ node }) => node);
    expect(on('ubuntu')).toEqual([20, 22, 24, 26]);
    expect([on('macos'), on('windows')]).toEqual([
      [20, 26],
      [20, 26],
    ]);
    expect(engines.node).toMatch(/^>=20\./);
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(text).not.toMatch(/secrets\.|pull_request_target/);
  });
});

describe('all workflows', () => {
  const names = readdirSync(path.join(root, '.github/workflows'));

  it('pin one version of each action, by the same digest', () => {
    const texts = names.map(name => readFileSync(path.join(root, '.github/workflows', name), 'utf8'));
    const pins = new Map<string, Set<string>>();
    for (const [, action = '', pin = ''] of texts.join('\n').matchAll(/uses: ([\w-]+\/[\w-]+)(?:\/[\w/-]+)?@(.*)/g)) {
      expect(pin).toMatch(/^[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
      pins.set(action, (pins.get(action) ?? new Set()).add(pin));
    }
    expect([...pins].filter(([, { size }]) => size > 1)).toEqual([]);
    expect([...pins.keys()]).toContain('github/codeql-action');
  });

  it('search for security bugs with CodeQL, whose only right is to report them', () => {
    const workflow = document<{ permissions: object; jobs: Record<string, Job> }>('.github/workflows/codeql.yml');
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(Object.values(workflow.jobs).map(({ permissions }) => permissions)).toEqual([{ contents: 'read', 'security-events': 'write' }]);
    const steps = Object.values(workflow.jobs).flatMap(job => job.steps);
    steps.forEach(expectStep);
    expect(steps.map(({ run }) => run)).toEqual([undefined, undefined, undefined]);
  });

  it('are kept current by Dependabot, as the dependencies are', () => {
    const { version, updates } = document<{ version: number; updates: readonly Record<string, unknown>[] }>('.github/dependabot.yml');
    expect([version, updates.map(update => update['package-ecosystem'])]).toEqual([2, ['npm', 'github-actions']]);
    for (const update of updates) expect(update).toMatchObject({ directory: '/', schedule: { interval: 'weekly' } });
  });
});

describe('the release workflow', () => {
  const workflow = document<{ name: string; on: object; permissions: object; jobs: Record<string, Job> }>('.github/workflows/release.yml');

  it("has the fields of GitHub's schema", () => {
    expect(Object.keys(workflow)).toEqual(['name', 'on', 'permissions', 'jobs']);
    for (const job of Object.values(workflow.jobs)) {
      const known = ['needs', 'runs-on', 'permissions', 'strategy', 'environment', 'steps'];
      expect(Object.keys(job).filter(key => !known.includes(key))).toEqual([]);
      for (const needed of job.needs ?? []) expect(Object.keys(workflow.jobs)).toContain(needed);
      job.steps.forEach(expectStep);
    }
  });

  it('builds each target, and tries what it builds before it is uploaded', () => {
    const { strategy, steps } = workflow.jobs['executable'] as Job;
    expect(strategy?.matrix.include).toEqual(document('packaging/targets.json'));
    const runs = steps.map(({ run, uses }) => run ?? uses);
    expect(runs.indexOf('node scripts/try-executable.js')).toBe(runs.indexOf('node scripts/executable.js') + 1);
    expect(runs.at(-1)).toMatch(/^actions\/upload-artifact@/);
  });

  it('publishes after all checks, with provenance, and only there may it sign or write', () => {
    const permissions = Object.fromEntries(Object.entries(workflow.jobs).map(([name, job]) => [name, job.permissions]));
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(permissions).toEqual({
      check: undefined,
      executable: undefined,
      package: undefined,
      files: undefined,
      npm: { contents: 'read', 'id-token': 'write' },
      release: { contents: 'write', 'id-token': 'write', attestations: 'write' },
    });
    expect(workflow.jobs['npm']?.needs).toEqual(['check', 'executable', 'package']);
    expect(workflow.jobs['npm']?.steps.at(-1)?.run).toContain('npm publish package/*.tgz --ignore-scripts --provenance');
    expect(workflow.jobs['release']?.steps.map(({ uses }) => uses)).toContainEqual(
      expect.stringMatching(/^actions\/attest-build-provenance@/),
    );
    expect(readFileSync(path.join(root, '.github/workflows/release.yml'), 'utf8')).not.toMatch(/secrets\./);
  });

  it('runs no code of packages in a job that may sign or write', () => {
    const mighty = Object.values(workflow.jobs).filter(({ permissions }) => permissions?.['id-token'] === 'write');
    const runs = mighty.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    expect(mighty).toHaveLength(2);
    expect(runs.filter(run => /npm (ci|install|exec)|npx|node /.test(run))).toEqual([]);
  });

  it('lists what the executables contain beside them', () => {
    const runs = workflow.jobs['files']?.steps.flatMap(({ run }) => run ?? []);
    expect(runs).toContain('npm sbom --sbom-format cyclonedx --package-lock-only > archives/webhook-cli.cdx.json');
  });
});

describe('the action', () => {
  const action = document<{
    name: string;
    description: string;
    inputs: Record<string, { description: string; default: string }>;
    runs: { using: string; steps: readonly Step[] };
  }>('action.yml');

  it('has the fields of a composite action', () => {
    expect(Object.keys(action)).toEqual(['name', 'description', 'author', 'branding', 'inputs', 'runs']);
    expect(action.runs.using).toBe('composite');
    for (const step of action.runs.steps) {
      expectStep(step);
      expect(step.shell).toBe('bash');
    }
    const used = [...JSON.stringify(action.runs).matchAll(/\$\{\{ inputs\.([\w-]+) \}\}/g)].map(([, name]) => name);
    expect(used.sort()).toEqual(Object.keys(action.inputs).sort());
    // Inputs may come from a pull request: the shell gets them as variables, never as part of a script.
    for (const { run = '' } of action.runs.steps) expect(run).not.toContain('${{');
    for (const input of Object.values(action.inputs)) expect(Object.keys(input)).toEqual(['description', 'default']);
  });

  it('installs its own version, runs the suites, annotates, and writes the summary', () => {
    const program = `#!/bin/sh\nexec "${process.execPath}" "${path.join(root, 'bin/run.js')}" "$@"\n`;
    const { folder, remove } = temporaryFolder({
      // What npm would install.
      'bin/npm':
        '#!/bin/sh\necho "$@" > "$RUNNER_TEMP/npm.txt"\nmkdir -p "$3/node_modules/.bin"\ncp "$RUNNER_TEMP/program" "$3/node_modules/.bin/webhook-cli"\n',
      program,
      'allowed.webhook-test.yaml':
        'apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\ndemo: true\ncases:\n- name: refused\n  filename: pod.yaml\n  expect: {allowed: true}\n',
      'pod.yaml': readFileSync(path.join(root, 'fixtures/manifests/pod-privileged.yaml'), 'utf8'),
    });
    try {
      for (const file of ['bin/npm', 'program']) chmodSync(path.join(folder, file), 0o755);
      const env: Record<string, string> = {
        PATH: `${folder}/bin:${process.env['PATH']}`,
        HOME: folder,
        RUNNER_TEMP: folder,
        GITHUB_PATH: `${folder}/path.txt`,
        GITHUB_STEP_SUMMARY: `${folder}/summary.md`,
        CI: 'true',
      };
      const [install, test] = action.runs.steps.map(step => {
        const values: Record<string, string> = { 'github.action_path': root, 'inputs.suites': '.', 'inputs.arguments': '--seed 1' };
        const filled = Object.entries(step.env ?? {}).map(([name, value]) => [
          name,
          value.replace(/\$\{\{ (\S+) \}\}/, (_, key) => values[key] ?? ''),
        ]);
        const ran = spawnSync('bash', ['-e', '-c', step.run ?? ''], {
          cwd: folder,
          encoding: 'utf8',
          env: { ...env, ...Object.fromEntries(filled) },
        });
        if (existsSync(`${folder}/path.txt`)) env['PATH'] = `${readFileSync(`${folder}/path.txt`, 'utf8').trim()}:${env['PATH']}`;
        return ran;
      });
      expect({ status: install?.status, stderr: install?.stderr }).toEqual({ status: 0, stderr: '' });
      const { version } = document<{ version: string }>('package.json');
      expect(readFileSync(path.join(folder, 'npm.txt'), 'utf8')).toContain(` --ignore-scripts webhook-cli@${version}\n`);
      expect(test?.status).toBe(1);
      expect(test?.stdout).toMatch(/^::error file=allowed\.webhook-test\.yaml,line=/m);
      expect(readFileSync(path.join(folder, 'summary.md'), 'utf8')).toContain('refused');
    } finally {
      remove();
    }
  });
});

describe('hooks of pre-commit', () => {
  it("have the fields of pre-commit's schema, and call commands that exist", () => {
    const hooks = document<readonly Record<string, unknown>[]>('.pre-commit-hooks.yaml');
    const known = ['id', 'name', 'description', 'entry', 'language', 'files', 'args', 'pass_filenames'];
    for (const hook of hooks) {
      expect(Object.keys(hook).filter(key => !known.includes(key))).toEqual([]);
      expect(hook).toMatchObject({ id: expect.any(String), name: expect.any(String), entry: expect.any(String), language: 'node' });
      expect(() => new RegExp(String(hook['files']))).not.toThrow();
      const [program, command] = String(hook['entry']).split(' ');
      expect(program).toBe('webhook-cli');
      expect(readdirSync(path.join(root, 'commands'))).toContain(`${command}.ts`);
    }
  });
});
