import {
  addInvalidWithoutValue,
  addRequired,
  at,
  entryAt,
  isSet,
  mapOf,
  type Place,
} from '../../../apiserver/registry/validation/place.js';

/** Annotations that select a template of a workload for the pods of a job. */
const [workloadName, templateName] = ['scheduling.k8s.io/workload-name', 'scheduling.k8s.io/group-template-name'];
const keys = [workloadName, templateName];

/**
 * Validates the annotations of a job or of a template of jobs that select a template of a workload, since v1.38. An update may keep what
 * the stored object has. Source: batch/validation validateSchedulingAndDelegationAnnotations, validateDelegationAnnotations.
 */
export function checkWorkloadAnnotations(job: Place, old: Place | undefined): void {
  if (!job.server.since('v1.38')) return;
  checkBesideScheduling(job, old);
  const annotations = at(job, 'metadata', 'annotations');
  const now = mapOf(annotations);
  if (!keys.some(key => now.has(key))) return;
  const before = old === undefined ? undefined : mapOf(at(old, 'metadata', 'annotations'));
  if (before !== undefined && keys.every(key => now.get(key) === before.get(key))) return;
  for (const key of keys)
    if ((now.get(key) ?? '') === '')
      addRequired(entryAt(annotations, key), `must be set to a non-empty value when ${workloadName} or ${templateName} is set`);
}

function checkBesideScheduling(job: Place, old: Place | undefined): void {
  const scheduling = at(job, 'spec', 'scheduling');
  if (!isSet(scheduling)) return;
  const annotationsOf = (object: Place): ReadonlyMap<string, unknown> => mapOf(at(object, 'metadata', 'annotations'));
  const kept = old !== undefined && isSet(at(old, 'spec', 'scheduling')) ? annotationsOf(old) : new Map<string, unknown>();
  const key = keys.find(each => annotationsOf(job).has(each) && !kept.has(each));
  if (key !== undefined) addInvalidWithoutValue(scheduling, `must not be set together with the ${key} annotation`);
}
