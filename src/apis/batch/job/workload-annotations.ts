import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';

/** Annotations that select a template of a workload for the pods of a job. */
const [workloadName, templateName] = ['scheduling.k8s.io/workload-name', 'scheduling.k8s.io/group-template-name'];
const keys = [workloadName, templateName];

/**
 * Validates the annotations of a job or of a template of jobs that select a template of a workload, since v1.38. An update may keep what
 * the stored object has. Source: batch/validation validateSchedulingAndDelegationAnnotations, validateDelegationAnnotations.
 */
export function checkWorkloadAnnotations(job: FieldPath, old: FieldPath | undefined): void {
  if (!job.server.since('v1.38')) return;
  checkBesideScheduling(job, old);
  const annotations = job.child('metadata', 'annotations');
  const now = annotations.members();
  if (!keys.some(key => now.has(key))) return;
  const before = old?.child('metadata', 'annotations').members();
  if (before !== undefined && keys.every(key => now.get(key) === before.get(key))) return;
  for (const key of keys)
    if ((now.get(key) ?? '') === '')
      annotations.key(key).required(`must be set to a non-empty value when ${workloadName} or ${templateName} is set`);
}

function checkBesideScheduling(job: FieldPath, old: FieldPath | undefined): void {
  const scheduling = job.child('spec', 'scheduling');
  if (!scheduling.isSet()) return;
  const annotationsOf = (object: FieldPath): ReadonlyMap<string, unknown> => object.child('metadata', 'annotations').members();
  const kept = old?.child('spec', 'scheduling').isSet() ? annotationsOf(old) : new Map<string, unknown>();
  const key = keys.find(each => annotationsOf(job).has(each) && !kept.has(each));
  if (key !== undefined) scheduling.invalidWithoutValue(`must not be set together with the ${key} annotation`);
}
