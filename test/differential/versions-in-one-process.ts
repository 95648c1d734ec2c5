import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type KubernetesObject, loadState, type PlainObject, type ReviewOptions, review, type State } from '../../src/library/entry.js';
import { type Random, randomFrom } from './random.js';

/**
 * Reviews random objects under three versions of Kubernetes in one process, sixteen at a time, and those of each version in a process of its own,
 * and compares the decisions: `node dist/test/differential/versions-in-one-process.js [COUNT] [SEED]`.
 */
const [count = '1000', seed = '1', only] = process.argv.slice(2);
const minors = ['v1.34', 'v1.36', 'v1.37'];

const admissionregistration = (kind: string, spec: PlainObject): KubernetesObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind,
  metadata: { name: 'team' },
  spec,
});
const policies = [
  admissionregistration('ValidatingAdmissionPolicy', {
    matchConstraints: { resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE'], resources: ['*'] }] },
    validations: [{ expression: "has(object.metadata.labels) && 'team' in object.metadata.labels" }],
  }),
  admissionregistration('ValidatingAdmissionPolicyBinding', { policyName: 'team', validationActions: ['Deny'] }),
];

const containers = (r: Random): object[] => [{ name: 'c', image: 'i:1', resources: { requests: { cpu: r.pick(['1', '10m', 'x']) } } }];
const kinds: readonly ((r: Random) => { readonly apiVersion: string; readonly kind: string; readonly [member: string]: unknown })[] = [
  r => ({ apiVersion: 'v1', kind: 'Pod', spec: { containers: containers(r), restartPolicy: r.pick(['Always', 'Never']) } }),
  r => ({ apiVersion: 'v1', kind: 'Service', spec: { ports: [{ port: r.below(70_000) }], externalIPs: r.pick([[], ['010.1.1.1']]) } }),
  () => ({ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingAdmissionPolicyBinding', spec: { policyName: 'x' } }),
  () => ({ apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', spec: {} }),
  r => ({ apiVersion: 'batch/v1', kind: 'Job', spec: { backoffLimit: r.below(9), template: { spec: { containers: containers(r) } } } }),
];

/** Returns a line for each review of the version, or of all. */
async function decisions(): Promise<string[]> {
  const asked = minors.filter(minor => only === undefined || minor === only);
  const loaded = await Promise.all(asked.map(async minor => [minor, await loadState(policies, { kubernetesVersion: minor })] as const));
  const states = new Map<string, State>(loaded);
  const random = randomFrom(Number(seed));
  const questions = Array.from({ length: Number(count) }, (_, index) => {
    const minor = random.pick(minors);
    const labels = random.chance(50) ? { team: 'a' } : {};
    return { index, minor, manifest: { ...random.pick(kinds)(random), metadata: { name: random.pick(['web', '1s']), labels } } };
  });
  const lines: string[] = [];
  const left = questions.values();
  const ask = async (): Promise<void> => {
    for (const { index, minor, manifest } of left) {
      const state = states.get(minor);
      if (state !== undefined) lines[index] = `${index} ${minor} ${manifest.kind} ${await decisionOf(state, manifest, index)}`;
    }
  };
  await Promise.all(Array.from({ length: only === undefined ? 16 : 1 }, ask));
  return lines.filter(line => line !== undefined);
}

async function decisionOf(state: State, manifest: ReviewOptions['manifest'], index: number): Promise<string> {
  try {
    const { decision } = await review({ state, manifest, namespace: 'default', seed: index, now: new Date('2026-11-21T00:00:00Z') });
    return JSON.stringify(decision);
  } catch (error) {
    return JSON.stringify((error as Error).message);
  }
}

const together = await decisions();
if (only !== undefined) process.stdout.write(`${together.join('\n')}\n`);
else {
  const options = { encoding: 'utf8', maxBuffer: 1 << 30 } as const;
  const alone = minors.flatMap(minor =>
    execFileSync(process.execPath, [fileURLToPath(import.meta.url), count, seed, minor], options)
      .trimEnd()
      .split('\n'),
  );
  const known = new Set(alone);
  const differing = together.filter(line => !known.has(line));
  for (const line of differing) process.stdout.write(`${line}\n`);
  process.stdout.write(`${together.length} reviews in one process, ${alone.length} in ${minors.length}: ${differing.length} differ\n`);
  process.exitCode = differing.length === 0 && together.length === alone.length ? 0 : 1;
}
