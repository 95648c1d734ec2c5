import type { Resource } from '../../../../kubernetes/resource-table.js';
import { resourceClaimStatus } from '../devices/claim-status.js';
import type { UpdateStep } from '../kind-rules.js';
import { certificateApproval, certificateStatus } from '../kinds/certificate-request.js';
import { checkFlowConditions } from '../kinds/flow-schema.js';
import type { Place } from '../place.js';
import { validatingPolicyStatus } from '../policies/policy-status.js';
import { claimStatus, namespaceFinalize, namespaceStatus, persistentVolumeStatus, resourceQuotaStatus } from './core-statuses.js';
import { disruptionBudgetStatus } from './disruption-budget-status.js';
import { ephemeralContainers } from './ephemeral-containers.js';
import { jobStatus } from './job-status.js';
import { ingressStatus, loadBalancerWarnings, serviceStatus } from './load-balancers.js';
import { podStatus, podStatusWarnings } from './pod-status.js';
import {
  autoscalerStatus,
  daemonSetStatus,
  deploymentStatus,
  replicaSetStatus,
  replicationControllerStatus,
  statefulSetStatus,
} from './replica-counts.js';
import { resize } from './resize.js';

/** What is asked of an update through a subresource, beyond the list that every kind has. */
export interface SubresourceRules {
  readonly update: readonly UpdateStep[];
  readonly warnings?: (object: Place) => string[];
}

const metadataOnly: SubresourceRules = { update: ['changes'] };

/** By `resource.group/subresource`, whatever the version. */
const rules: ReadonlyMap<string, SubresourceRules> = new Map([
  ['pods./status', { update: podStatus, warnings: podStatusWarnings }],
  ['pods./ephemeralcontainers', { update: ephemeralContainers }],
  ['pods./resize', { update: resize }],
  ['replicationcontrollers./status', { update: replicationControllerStatus }],
  ['deployments.apps/status', { update: deploymentStatus }],
  ['replicasets.apps/status', { update: replicaSetStatus }],
  ['statefulsets.apps/status', { update: statefulSetStatus }],
  ['daemonsets.apps/status', { update: daemonSetStatus }],
  ['jobs.batch/status', { update: jobStatus }],
  // Whatever the status of a cron job says is taken.
  ['cronjobs.batch/status', { update: [] }],
  ['horizontalpodautoscalers.autoscaling/status', { update: autoscalerStatus }],
  ['poddisruptionbudgets.policy/status', { update: disruptionBudgetStatus }],
  ['services./status', { update: serviceStatus, warnings: loadBalancerWarnings }],
  ['ingresses.networking.k8s.io/status', { update: ingressStatus, warnings: loadBalancerWarnings }],
  ['servicecidrs.networking.k8s.io/status', metadataOnly],
  ['flowschemas.flowcontrol.apiserver.k8s.io/status', { update: [checkFlowConditions] }],
  ['prioritylevelconfigurations.flowcontrol.apiserver.k8s.io/status', { update: [checkFlowConditions] }],
  ['resourceclaims.resource.k8s.io/status', { update: resourceClaimStatus }],
  ['namespaces./status', { update: namespaceStatus }],
  ['namespaces./finalize', { update: namespaceFinalize }],
  ['resourcequotas./status', { update: resourceQuotaStatus }],
  ['persistentvolumes./status', { update: persistentVolumeStatus }],
  ['persistentvolumeclaims./status', { update: claimStatus }],
  ['certificatesigningrequests.certificates.k8s.io/status', { update: certificateStatus }],
  ['certificatesigningrequests.certificates.k8s.io/approval', { update: certificateApproval }],
  ['validatingadmissionpolicies.admissionregistration.k8s.io/status', { update: validatingPolicyStatus }],
]);

/** Subresources that are asked the same as the objects themselves. */
const asTheObject: ReadonlySet<string> = new Set(['nodes./status', 'volumeattachments.storage.k8s.io/status']);

/** The rules of a subresource's updates: `object` where they are those of the object itself; undefined where they are not reproduced. */
export function subresourceRulesOf({ resource, group }: Resource, subresource: string): SubresourceRules | 'object' | undefined {
  const key = `${resource}.${group}/${subresource}`;
  return asTheObject.has(key) ? 'object' : rules.get(key);
}
