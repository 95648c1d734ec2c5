import { semanticallyEqualAs } from '../../../apiserver/objects/semantic-equality.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import { copyOf, ensureMap, isMap, listAt, mapAt, type Value, type ValueMap } from '../../../go/value.js';
import { structNamed } from '../../../kubernetes/type-table.js';

/**
 * A template is immutable, except in a suspended job: scheduling of its pods may change, and container resources if no pod is running.
 * Source: batch/validation validatePodTemplateUpdate, registry/batch/job/strategy.go.
 */
export function checkTemplateChange(job: FieldPath, old: FieldPath): void {
  const [spec, before] = [job.child('spec'), old.child('spec')];
  const may = mutableParts(old);
  if (!may.scheduling && !may.resources) {
    checkImmutable(spec, before, { type: 'batch/v1.JobSpec', name: 'template' });
    return;
  }
  const now = spec.child('template');
  const expected = copyOf(before.child('template').members());
  if (may.scheduling) takeScheduling(expected, now.members());
  if (may.resources)
    for (const list of ['containers', 'initContainers']) takeResources(listAt(expected, 'spec', list), listAt(now.members(), 'spec', list));
  const [changed, wanted, type] = may.resources
    ? [now.child('spec'), mapAt(expected, 'spec') ?? new Map(), 'core/v1.PodSpec']
    : [now, expected, 'core/v1.PodTemplateSpec'];
  if (!semanticallyEqualAs(structNamed(job.server, type), changed.members(), wanted))
    changed.invalid(internalValue(job.server, type, changed.value), 'field is immutable');
}

function mutableParts(old: FieldPath): { readonly scheduling: boolean; readonly resources: boolean } {
  const status = old.child('status');
  const isSuspended = old.child('spec').flag('suspend');
  const isNew = !status.child('startTime').isSet();
  const isHalted = status.items('conditions').some(c => c.text('type') === 'Suspended' && c.text('status') === 'True');
  const isIdle = isSuspended && (isNew || isHalted) && status.number('active') === 0n;
  return {
    scheduling: old.server.isEnabled('MutableSchedulingDirectivesForSuspendedJobs') ? isIdle : isSuspended && isNew,
    resources: isIdle && old.server.isEnabled('MutablePodResourcesForSuspendedJobs'),
  };
}

function takeScheduling(expected: ValueMap, now: ValueMap): void {
  for (const key of ['labels', 'annotations']) takeMember(ensureMap(expected, 'metadata'), mapAt(now, 'metadata') ?? new Map(), key);
  const [spec, other] = [ensureMap(expected, 'spec'), mapAt(now, 'spec') ?? new Map()];
  for (const key of ['nodeSelector', 'tolerations', 'schedulingGates']) takeMember(spec, other, key);
  takeNodeAffinity(spec, other);
}

function takeMember(to: ValueMap, from: ValueMap, key: string): void {
  const value = from.get(key);
  if (value === undefined) to.delete(key);
  else to.set(key, value);
}

function takeNodeAffinity(expected: ValueMap, now: ValueMap): void {
  const affinity = mapAt(expected, 'affinity') ?? new Map();
  takeMember(affinity, mapAt(now, 'affinity') ?? new Map(), 'nodeAffinity');
  if (affinity.size > 0 || mapAt(now, 'affinity') !== undefined) expected.set('affinity', affinity);
  else expected.delete('affinity');
}

/** Containers with the same index and name. */
function takeResources(expected: readonly Value[], now: readonly Value[]): void {
  if (expected.length !== now.length) return;
  for (const [index, container] of expected.entries()) {
    const other = now[index];
    if (isMap(container) && isMap(other) && container.get('name') === other.get('name')) takeMember(container, other, 'resources');
  }
}
