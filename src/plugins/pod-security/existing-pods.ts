import type { AdmissionContext } from '../../apiserver/admission/chain.js';
import { listAt, mapAt, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import { podSecurityConfiguration } from './configuration.js';
import { violationsOf } from './evaluate.js';
import { type LevelVersion, printLevelVersion } from './policy.js';

const mostPods = 3000;

/**
 * Returns warnings about existing pods that violate a stricter policy of their namespace; they are kept. Source: pod-security-admission
 * EvaluatePodsInNamespace.
 */
export function existingPodWarnings(
  namespace: string,
  enforce: LevelVersion,
  { storage, state }: Pick<AdmissionContext, 'storage' | 'state'>,
): string[] {
  const exempt = podSecurityConfiguration(state).exemptions.runtimeClasses;
  const all = oneOfEachFirst(storage.list({ group: '', kind: 'Pod' }, namespace));
  const pods = all.slice(0, mostPods);
  const namesByReason = new Map<string, string[]>();
  for (const pod of pods) {
    if (exempt.includes(stringAt(pod, 'spec', 'runtimeClassName'))) continue;
    const reasons = violationsOf(storage.server, { metadata: mapAt(pod, 'metadata'), spec: mapAt(pod, 'spec') ?? new Map() }, enforce);
    const key = reasons.map(({ reason }) => reason).join(', ');
    if (key !== '') namesByReason.set(key, [...(namesByReason.get(key) ?? []), stringAt(pod, 'metadata', 'name')]);
  }
  const lines = [...namesByReason].map(([reasons, names]) => `${[...names].sort()[0] ?? ''}${others(names.length - 1)}: ${reasons}`);
  const warnings: string[] = [];
  if (pods.length < all.length)
    warnings.push(`new PodSecurity enforce level only checked against the first ${pods.length} of ${all.length} existing pods`);
  if (lines.length > 0)
    warnings.push(`existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${printLevelVersion(enforce)}"`);
  return [...warnings, ...lines.sort()];
}

function others(count: number): string {
  return count === 0 ? '' : ` (and ${count} other ${count === 1 ? 'pod' : 'pods'})`;
}

/** Moves further pods of the same controller to the end. */
function oneOfEachFirst(pods: readonly ValueMap[]): ValueMap[] {
  const seen = new Set<string>();
  const first: ValueMap[] = [];
  const later: ValueMap[] = [];
  for (const pod of pods) {
    const controller = listAt(pod, 'metadata', 'ownerReferences').find(owner => valueAt(owner, 'controller') === true);
    const uid = stringAt(controller, 'uid');
    const isRepeated = controller !== undefined && seen.has(uid);
    seen.add(uid);
    (isRepeated ? later : first).push(pod);
  }
  return [...first, ...later];
}
