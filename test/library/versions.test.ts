import { describe, expect, it } from 'vitest';
import { loadState, type ReviewOptions, review, type State } from '../../src/library/entry.js';

const fixed = { seed: 1, now: new Date('2026-11-21T00:00:00Z'), demo: true } as const;
const versions = ['v1.34', 'v1.35', 'v1.36'] as const;

const binding = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingAdmissionPolicyBinding',
  metadata: { name: 'b' },
  spec: { policyName: 'p' },
};

/** What the versions treat differently: a kind, a rule for names, words of errors, defaults, and what none of them does. */
const manifests: readonly ReviewOptions['manifest'][] = [
  binding,
  { apiVersion: 'v1', kind: 'Service', metadata: { name: '1s', namespace: 'shop' }, spec: { ports: [{ port: 80 }] } },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'shop', labels: { 'a/b/c': '' } } },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'shop' },
    spec: {
      automountServiceAccountToken: false,
      restartPolicy: 'Never',
      containers: [{ name: 'c', image: 'i:1', restartPolicy: 'Never' }],
    },
  },
  { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name: 'r' }, handler: '' },
];

/** The decision of a review, or the message of the error. */
async function reviewAnswer(state: State, manifest: ReviewOptions['manifest']): Promise<unknown> {
  try {
    const { decision, kubernetesVersion } = await review({ ...fixed, manifest, state });
    return { decision, kubernetesVersion };
  } catch (error) {
    return (error as Error).message;
  }
}

describe('states of several versions in one process', { timeout: 60_000 }, () => {
  it('keep their version when others are made', async () => {
    const newer = await loadState([], { kubernetesVersion: 'v1.36' });
    const older = await loadState([], { kubernetesVersion: 'v1.34' });
    expect(await review({ ...fixed, state: newer, manifest: binding })).toMatchObject({ kubernetesVersion: 'v1.36' });
    await expect(review({ ...fixed, state: older, manifest: binding })).rejects.toThrow(/no matches for kind/);
  });

  it('answer the same at the same time as one after another', async () => {
    const states = await Promise.all(versions.map(kubernetesVersion => loadState([], { kubernetesVersion })));
    const questions = states.flatMap(state => manifests.map(manifest => [state, manifest] as const));
    const alone: unknown[] = [];
    for (const [state, manifest] of questions) alone.push(await reviewAnswer(state, manifest));
    expect(await Promise.all(questions.map(question => reviewAnswer(...question)))).toEqual(alone);
    const ofVersion = alone.map(answer => JSON.stringify(answer).replaceAll(/"kubernetesVersion":"[^"]*"/g, ''));
    const differing = manifests.map((_, i) => new Set(versions.map((_version, v) => ofVersion[v * manifests.length + i])).size);
    expect(differing).toEqual([2, 2, 2, 2, 2]);
  });
});
