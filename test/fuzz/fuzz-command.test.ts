import { describe, expect, it } from 'vitest';
import Fuzz from '../../commands/fuzz.js';
import { runCommand } from '../support/run-command.js';

/** Runs the program with one planted bug. */
async function fuzzed(bug: string, ...flags: readonly string[]) {
  const exec = `node fixtures/fuzz/buggy.mjs \${PORT} \${CERTS} ${bug}`;
  const result = await runCommand(Fuzz, ['--exec', exec, '--seed', '1', '-o', 'json', ...flags]);
  return { ...result, report: JSON.parse(result.stdout) as Report };
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
          ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'default' } },
          spec: { containers: [{ name: 'a', image: 'a' }] },
        },
      ],
    });
    expect(report.findings[0]?.command).toMatch(/^webhook-cli fuzz --exec '.*' --phase validating --kind pods --seed 1 --runs 1$/);
  });

  it('finds nothing at a correct webhook', async () => {
    const { report, exitCode } = await fuzzed('none', '--kind', 'pods', '--runs', '60');
    expect(report.findings).toEqual([]);
    expect(exitCode).toBe(0);
  });
});
