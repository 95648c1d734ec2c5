import { describe, expect, it } from 'vitest';
import Fuzz from '../../commands/fuzz.js';
import { runCommand } from '../support/run-command.js';

/** Searches for ways around a policy with a hole; returns the kubectl commands of each. */
async function waysAround(hole: string): Promise<string[][]> {
  const exec = `node fixtures/fuzz/policy.mjs \${PORT} \${CERTS} ${hole}`;
  const forbidden = 'fixtures/manifests/pod-privileged.yaml';
  const { stdout } = await runCommand(Fuzz, [
    '--exec',
    exec,
    '--phase',
    'validating',
    '--forbidden',
    forbidden,
    '--check',
    'bypass',
    '-o',
    'json',
  ]);
  const { findings } = JSON.parse(stdout) as { findings: { check: string; call: { steps: string[] } }[] };
  expect(findings.every(({ check }) => check === 'bypass')).toBe(true);
  return findings.map(({ call }) => call.steps);
}

describe('fuzz --forbidden', { timeout: 60_000 }, () => {
  it('finds containers of other lists, and nothing at a tight policy', async () => {
    expect(await waysAround('init')).toEqual([['kubectl create -f step-1.yaml']]);
    const [ephemeral] = await waysAround('ephemeral');
    expect(ephemeral?.[0]).toBe('kubectl create -f step-1.yaml');
    expect(ephemeral?.[1]).toMatch(/^kubectl debug \S+ -n \S+ --image=\S+ -c moved$/);
    expect(await waysAround('tight')).toEqual([]);
  });

  it('finds templates of workloads whose pods the policy lets controllers create', async () => {
    expect((await waysAround('templates')).length).toBeGreaterThan(0);
  });
});
