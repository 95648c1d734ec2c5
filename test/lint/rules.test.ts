import { describe, expect, it } from 'vitest';
import Lint from '../../commands/lint.js';
// Loaded before the first test's clock runs.
import '../../src/cli/lint/run-lint.js';
import { lintRules } from '../../src/lint/rules.js';
import { runCommand } from '../support/run-command.js';

async function foundIn(file: string): Promise<string[]> {
  const { stdout, stderr } = await runCommand(Lint, ['-f', file, '-o', 'json']);
  expect(stderr).toBe('');
  const report = JSON.parse(stdout) as { findings: { rule: string }[] };
  return report.findings.map(finding => finding.rule);
}

describe('a lint rule', () => {
  it.each(lintRules.map(rule => rule.id))('%s finds its bad fixture and passes its good one', async id => {
    expect(await foundIn(`fixtures/lint/${id}.bad.yaml`)).toContain(id);
    expect(await foundIn(`fixtures/lint/${id}.good.yaml`)).not.toContain(id);
  });
});

describe('lint', () => {
  it('exits with 1 from the severity on that is asked for', async () => {
    const file = 'fixtures/lint/intercepts-kube-system.bad.yaml';
    const codes = await Promise.all(
      [
        [],
        ['--fail-on', 'warning'],
        ['--rule', 'intercepts-kube-system=error'],
        ['--fail-on', 'warning', '--rule', 'intercepts-kube-system=off'],
      ].map(async more => (await runCommand(Lint, ['-f', file, ...more])).exitCode),
    );
    expect(codes).toEqual([0, 1, 1, 0]);
  });

  it('tells the refusals of the API server with their fields', async () => {
    const { stdout, exitCode } = await runCommand(Lint, ['-f', 'fixtures/lint/side-effects-forbid-dry-run.bad.yaml']);
    expect(stdout).toContain('webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun" [api-refuses]');
    expect(exitCode).toBe(1);
  });

  it('writes workflow commands and SARIF', async () => {
    const file = 'fixtures/lint/missing-subresources.bad.yaml';
    const github = await runCommand(Lint, ['-f', file, '-o', 'github']);
    expect(github.stdout).toBe(
      `::warning file=${file},line=1,title=missing-subresources::policy/policy.example.com: it validates pods, but not pods/ephemeralcontainers\n`,
    );
    const sarif = await runCommand(Lint, ['-f', file, '-o', 'sarif']);
    const log = JSON.parse(sarif.stdout) as { version: string; runs: { results: { ruleId: string; level: string }[] }[] };
    expect([log.version, log.runs[0]?.results.map(({ ruleId, level }) => [ruleId, level])]).toEqual([
      '2.1.0',
      [['missing-subresources', 'warning']],
    ]);
  });

  it('refuses a rule that is none', async () => {
    const { stderr, exitCode } = await runCommand(Lint, ['-f', 'fixtures/lint/missing-delete.good.yaml', '--rule', 'missing-delet=off']);
    expect(stderr).toContain('did you mean missing-delete?');
    expect(exitCode).toBe(2);
  });
});
