import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import Fuzz from '../../commands/fuzz.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

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

  it.each([
    {
      what: 'that the API server refuses',
      ...{ manifest: 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: []}\n', hole: 'tight', code: 3 },
      says: /pod\.yaml:1:?\d*: cannot be searched: no webhook refuses it, but the API server does: Pod "a" is invalid: spec\.containers: Required value/,
    },
    {
      what: 'of a kind that is not served',
      ...{ manifest: 'apiVersion: example.com/v1\nkind: Offer\nmetadata: {name: a}\n', hole: 'tight', code: 3 },
      says: /pod\.yaml:1:?\d*: cannot be searched: the API server does not serve its kind; pass its definition with --state/,
    },
    {
      what: 'for which the webhook fails',
      manifest: 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: a}]}\n',
      ...{ hole: 'fails', code: 4 },
      says: /cannot be searched: no webhook refuses it, but the API server does: Internal error occurred: failed calling webhook/,
    },
  ])('exits with $code for an object $what', async ({ manifest, hole, code, says }) => {
    const { folder, remove } = temporaryFolder({ 'pod.yaml': manifest });
    onTestFinished(remove);
    const exec = `node fixtures/fuzz/policy.mjs \${PORT} \${CERTS} ${hole}`;
    const flags = ['--phase', 'validating', '--check', 'bypass', '--forbidden', path.join(folder, 'pod.yaml'), '-o', 'json'];
    const { stdout, stderr, exitCode } = await runCommand(Fuzz, ['--exec', exec, ...flags]);
    expect(stderr).toMatch(says);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'FuzzReport', findings: [] });
    expect(exitCode).toBe(code);
  });
});
