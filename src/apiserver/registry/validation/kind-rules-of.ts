import { addNote, type CallNotes } from '../../../kubernetes/call-notes.js';
import type { Resource } from '../../../kubernetes/resource-table.js';
import type { KindRules } from './kind-rules.js';
import { configMapRules, secretRules } from './kinds/config-data.js';
import { podRules } from './kinds/pod.js';
import {
  daemonSetRules,
  deploymentRules,
  podTemplateRules,
  replicaSetRules,
  replicationControllerRules,
  statefulSetRules,
} from './kinds/workloads.js';

/** By `resource.group`, whatever the version. */
const rules: ReadonlyMap<string, KindRules> = new Map([
  ['pods.', podRules],
  ['podtemplates.', podTemplateRules],
  ['replicationcontrollers.', replicationControllerRules],
  ['configmaps.', configMapRules],
  ['secrets.', secretRules],
  ['deployments.apps', deploymentRules],
  ['replicasets.apps', replicaSetRules],
  ['daemonsets.apps', daemonSetRules],
  ['statefulsets.apps', statefulSetRules],
]);

/** What is asked of a resource's objects beyond metadata; undefined where that is not reproduced. */
export function kindRulesOf({ resource, group }: Resource): KindRules | undefined {
  return rules.get(`${resource}.${group}`);
}

/** Kinds of which the API server asks nothing beyond metadata, or whose checks stand elsewhere. */
const complete: ReadonlySet<string> = new Set([
  'serviceaccounts.',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
]);

/** Says that an object of a kind could be refused for reasons unknown here. */
export function noteIncomplete(resource: Resource, record: CallNotes): void {
  const name = `${resource.resource}.${resource.group}`;
  if (resource.custom || rules.has(name) || complete.has(name)) return;
  addNote(record, `the validation of ${resource.kind.kind} objects is not reproduced, but for their metadata`);
}
