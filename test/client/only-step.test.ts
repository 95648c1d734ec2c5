import { describe, expect, it } from 'vitest';
import { effectsFor } from '../../src/cli/shell/effects.js';
import { apiServers } from '../../src/cli/work/api-servers/api-servers.js';
import type { CallStep } from '../../src/client/calls/call-step.js';
import { unusableStep } from '../../src/client/calls/call-step.js';
import { CliError } from '../../src/client/cli-error.js';
import { runOnlyStep, runSteps } from '../../src/client/run/run-calls.js';
import type { StepResult } from '../../src/client/run/step-result.js';
import { defaultMinor } from '../../src/kubernetes/kubernetes-version.js';
import { clusterStateWith } from '../support/cluster-state.js';

const callWebhook = (): never => {
  throw new Error('there is no webhook');
};
const surroundings = {
  state: clusterStateWith({ server: apiServers({ minor: defaultMinor }) }),
  callWebhook,
  effects: () => effectsFor(callWebhook, { seed: 7, now: new Date('2026-01-02T03:04:05Z') }, () => 0),
  notes: ['a note of all calls'],
};

function creation(object: object): CallStep {
  const [kind, name] = [{ group: '', version: 'v1', kind: 'ConfigMap' }, 'c'];
  const call = { method: 'POST', path: '/api/v1/namespaces/team/configmaps', contentType: 'application/json' };
  const body = Buffer.from(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', ...object }));
  const command = { verb: 'create', source: 'c.yaml', kind, name, namespace: 'team', dryRun: false, force: false, words: [] } as const;
  return { plan: () => ({ call: { ...call, body, user: undefined }, command }) };
}

const steps: Readonly<Record<string, CallStep>> = {
  allowed: creation({ metadata: { name: 'c' }, data: { a: '1' } }),
  denied: creation({ metadata: { name: 'C' } }),
  undecodable: creation({ metadata: { name: 'c' }, data: 1 }),
  skipped: { plan: async () => ({ skipped: 'nothing to do' }) },
  unusable: unusableStep(new CliError('usage', 'cannot be used')),
};

/** What commands print of a result; lines are lazy. */
function shown(result: StepResult | undefined): unknown {
  if (result?.outcome !== 'answered') return result;
  const { report, kubectl, exchanges, findings } = result.report;
  const { decision, answer, notes, webhooks } = report;
  return { decision: { ...decision, object: decision.object }, answer, notes, webhooks, kubectl, exchanges, findings };
}

describe('the only step of a plan', () => {
  it.each(Object.entries(steps))('%s: has the same result as among others', async (name, step) => {
    for (const isIndependent of [false, true]) {
      const queued = await runSteps([step], { ...surroundings, isIndependent }).next();
      const only = await runOnlyStep(step, { ...surroundings, isIndependent });
      expect(shown(only)).toEqual(shown(queued.value));
      expect(only.outcome).toBe(['skipped', 'unusable'].includes(name) ? name : 'answered');
    }
  });

  it('does not change the state of others', async () => {
    const step = steps['allowed'] ?? unusableStep(new CliError('usage', 'missing'));
    for (const isIndependent of [false, true]) {
      const first = await runOnlyStep(step, { ...surroundings, isIndependent });
      expect(first).toMatchObject({ outcome: 'answered', report: { report: { decision: { allowed: true } } } });
    }
  });
});
