import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import Fuzz from '../../commands/fuzz.js';
import Test from '../../commands/test.js';
import { root, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Runs the program with one planted bug. */
async function fuzzed(bug: string, ...flags: readonly string[]) {
  const exec = `node fixtures/fuzz/buggy.mjs \${PORT} \${CERTS} ${bug}`;
  const result = await runCommand(Fuzz, ['--exec', exec, '--seed', '1', '-o', 'json', ...flags]);
  return { ...result, report: JSON.parse(result.stdout) as Report };
}

/** Returns the content of the page of `--open`. */
async function opened(...flags: readonly string[]) {
  const argv = ['--seed', '1', '--phase', 'validating', '--open', ...flags];
  const { exitCode, stderr } = await runCommand(Fuzz, argv, { env: { BROWSER: 'none' } });
  const file = /^report: (.*)$/m.exec(stderr)?.[1] ?? '';
  const html = readFileSync(file, 'utf8');
  rmSync(path.dirname(file), { recursive: true });
  return { exitCode, ...JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/.exec(html)?.[1] ?? '') };
}

interface Report {
  readonly kind: string;
  readonly seed: number;
  readonly calls: number;
  readonly findings: readonly {
    check: string;
    webhook: string;
    message: string;
    count: number;
    manifests: readonly object[];
    command: string;
    output?: readonly string[];
  }[];
}

describe('fuzz', () => {
  it('finds an annotation that may be missing, and reduces the pod to what shows it', async () => {
    const { report, exitCode } = await fuzzed('annotations-missing', '--phase', 'validating', '--kind', 'pods', '--runs', '1');
    expect(exitCode).toBe(1);
    expect(report).toMatchObject({ kind: 'FuzzReport', seed: 1, calls: 1 });
    expect(report.findings).toHaveLength(1);
    expect(report.findings[0]).toMatchObject({
      check: 'crash',
      message: "answers with status 500: TypeError: Cannot read properties of undefined (reading 'team')",
      call: { resource: 'pods', operation: 'create', kubectl: 'kubectl create -f manifest.yaml' },
      manifests: [
        {
          ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } },
          spec: { containers: [{ name: 'a', image: 'a' }] },
        },
      ],
    });
    expect(report.findings[0]?.command).toMatch(/^webhook-cli fuzz --exec '.*' --phase validating --kind pods --seed 1 --runs 1$/);
  });

  it('writes a suite of the findings, and follows no links of the folder', async () => {
    const { folder, remove } = temporaryFolder({ victim: 'mine\n', 'found/notes.txt': '' });
    onTestFinished(remove);
    for (const name of ['fuzz.webhook-test.yaml', 'crash-1.yaml']) symlinkSync('../victim', path.join(folder, 'found', name));
    const flags = ['--phase', 'validating', '--kind', 'pods', '--runs', '1', '--write', path.join(folder, 'found')];
    const { stderr } = await fuzzed('annotations-missing', ...flags);
    expect(stderr).toContain('wrote 1 case to ');
    expect(readFileSync(path.join(folder, 'victim'), 'utf8')).toBe('mine\n');
    expect(readFileSync(path.join(folder, 'found/crash-1.yaml'), 'utf8')).toMatch(/^# .*\napiVersion: v1\n/);
  });

  it('writes a way around a policy as a case with its calls, which fails until the last one is refused', async () => {
    const { folder, remove } = temporaryFolder({});
    onTestFinished(remove);
    const exec = `node ${path.join(root, 'fixtures/fuzz/policy.mjs')} \${PORT} \${CERTS} `;
    const flags = [
      '--phase',
      'validating',
      '--forbidden',
      'fixtures/manifests/pod-privileged.yaml',
      '--check',
      'bypass',
      '--write',
      folder,
    ];
    await runCommand(Fuzz, ['--exec', `${exec}ephemeral`, ...flags]);
    const file = path.join(folder, 'fuzz.webhook-test.yaml');
    const tested = await runCommand(Test, [file]);
    expect(tested.exitCode).toBe(1);
    expect(tested.stdout).toContain('step 2');
    writeFileSync(file, readFileSync(file, 'utf8').replace('ephemeral\n', 'tight\n'));
    expect((await runCommand(Test, [file])).exitCode).toBe(0);
  });

  it('opens a page with the steps of the call that shows a finding', async () => {
    const exec = `node fixtures/fuzz/buggy.mjs \${PORT} \${CERTS} annotations-missing`;
    const { exitCode, title, entries } = await opened('--exec', exec, '--kind', 'pods', '--runs', '1');
    expect([exitCode, title, entries.length]).toEqual([1, 'webhook-cli fuzz: 1 finding', 1]);
    const [{ outcome, failures, calls }] = entries;
    expect([outcome, failures]).toEqual([
      'failed',
      [{ check: 'crash', message: expect.stringContaining('answers with status 500: TypeError: Cannot read properties of undefined') }],
    ]);
    const webhook = calls[0].steps.find(({ kind }: { kind: string }) => kind === 'webhook');
    expect(webhook.parts.map(({ name }: { name: string }) => name)).toContain('wait');
    expect(calls[0].webhooks[webhook.webhook].exchange.statusCode).toBe(500);
  });

  it('opens a page with the calls of a way around a policy, which are allowed again', async () => {
    const exec = `node fixtures/fuzz/policy.mjs \${PORT} \${CERTS} init`;
    const { entries } = await opened('--exec', exec, '--forbidden', 'fixtures/manifests/pod-privileged.yaml', '--check', 'bypass');
    expect(entries).toMatchObject([{ name: 'bypass: webhook.webhook-cli.dev', facts: 'an init container', calls: [{ allowed: true }] }]);
    expect(entries[0].calls[0].steps.length).toBeGreaterThan(5);
  });

  it('says that nothing is served at the path, instead of a finding of every call', async () => {
    const exec = `node fixtures/fuzz/buggy.mjs \${PORT} \${CERTS} not-found`;
    expect(await runCommand(Fuzz, ['--exec', exec, '--kind', 'pods', '--runs', '200'])).toMatchObject({
      exitCode: 4,
      stdout: '',
      stderr: expect.stringContaining(
        `error: the webhook cannot be called: nothing is served at / (status 404); pass the path of the webhook: --url 'https://127.0.0.1:\${PORT}/PATH'\n`,
      ),
    });
  });

  it('finds nothing at a correct webhook', async () => {
    const { report, exitCode } = await fuzzed('none', '--kind', 'pods', '--runs', '60');
    expect(report.findings).toEqual([]);
    expect(exitCode).toBe(0);
  });

  it('restarts a process that ends after its answer, and reduces the call that ended it', async () => {
    const { report } = await fuzzed(
      'process-ends',
      '--phase',
      'validating',
      '--kind',
      'pods',
      '-f',
      'fixtures/fuzz/host-port.yaml',
      '--runs',
      '3',
      '--time',
      '24s',
    );
    const [crash] = report.findings;
    expect(crash).toMatchObject({ check: 'crash', manifests: [{ spec: { containers: [{ ports: [{ hostPort: expect.anything() }] }] } }] });
    expect(crash?.message).toMatch(/^ends its process with .*3$/);
    expect(crash?.output?.join('\n')).toContain('listening on');
  });

  it('searches with the process, the webhooks and the manifests of a suite', async () => {
    const exec = `node ${path.join(root, 'fixtures/fuzz/buggy.mjs')} \${PORT} \${CERTS} annotations-missing`;
    const head = 'apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\nphase: validating\ncases: [{name: a, filename: pod.yaml}]\n';
    const { folder, remove } = temporaryFolder({
      'guard.webhook-test.yaml': `${head}exec: ${exec}\nurl: https://127.0.0.1:\${PORT}/\n`,
      'pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: nginx}]}\n',
    });
    onTestFinished(remove);
    const suite = path.join(folder, 'guard.webhook-test.yaml');
    const { stdout, exitCode } = await runCommand(Fuzz, [suite, '--seed', '1', '--runs', '1', '-o', 'json']);
    const { findings } = JSON.parse(stdout) as Report;
    expect(findings.map(({ check }) => check)).toEqual(['crash']);
    expect(findings[0]?.command).toBe(`webhook-cli fuzz ${suite} --seed 1 --runs 1`);
    expect(exitCode).toBe(1);
  });

  it('makes all calls as the user of --as, and says so in the command that repeats one', async () => {
    const { report } = await fuzzed('no-user-jane', '--phase', 'validating', '--kind', 'pods', '--runs', '12', '--as', 'jane');
    expect(report.findings).toMatchObject([{ check: 'crash', count: expect.any(Number), call: { as: 'jane' } }]);
    expect(report.findings[0]?.count).toBeGreaterThanOrEqual(12);
    expect(report.findings[0]?.command).toContain(' --as jane ');
  });

  it('lets the process convert the objects of a definition', async () => {
    const { report, exitCode } = await fuzzed('conversion-note', '--state', 'fixtures/fuzz/note.yaml', '--runs', '20');
    expect(report.findings.map(({ check }) => check)).toEqual(['conversion']);
    expect(exitCode).toBe(1);
  });

  it('searches for ways around a policy of the API server, without any webhook', async () => {
    const flags = ['--state', 'fixtures/fuzz/containers-only.yaml', '--check', 'bypass', '-o', 'json'];
    const forbidden = ['--forbidden', 'fixtures/manifests/pod-privileged.yaml'];
    const { stdout, exitCode } = await runCommand(Fuzz, [...flags, ...forbidden]);
    const { findings } = JSON.parse(stdout) as Report;
    expect(findings.map(({ message }) => message.split(':', 1)[0])).toContain('can be bypassed by an init container');
    expect(exitCode).toBe(1);
  });

  it('says that a webhook cannot be called, with its last lines', async () => {
    const exec = `node -e 'console.error("no certificate"); process.exit(2)'`;
    const { stderr, exitCode } = await runCommand(Fuzz, ['--exec', exec, '--kind', 'pods', '--runs', '1']);
    expect(stderr).toMatch(/error: the webhook cannot be called: .*before it was ready/);
    expect(stderr).toContain('no certificate');
    expect(exitCode).toBe(4);
  });

  it('searches for ways around a policy only with objects that must not exist', async () => {
    const { stderr, exitCode } = await runCommand(Fuzz, ['--url', 'https://127.0.0.1:1/', '--kind', 'pods', '--check', 'bypass']);
    expect(stderr).toContain('the check bypass needs objects that must never exist');
    expect(exitCode).toBe(2);
  });
});
