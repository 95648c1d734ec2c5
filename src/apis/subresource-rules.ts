import type { UpdateStep } from '../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../apiserver/registry/validation/place.js';
import type { Resource } from '../kubernetes/resource-table.js';
import { daemonSetStatus } from './apps/daemon-set/daemon-set-status-validation.js';
import { deploymentStatus } from './apps/deployment/deployment-status-validation.js';
import { replicaSetStatus } from './apps/replica-set/replica-set-status-validation.js';
import { statefulSetStatus } from './apps/stateful-set/stateful-set-status-validation.js';
import { autoscalerStatus } from './autoscaling/horizontal-pod-autoscaler/horizontal-pod-autoscaler-status-validation.js';
import { jobStatus } from './batch/job/job-status-validation.js';
import {
  certificateApproval,
  certificateStatus,
} from './certificates/certificate-signing-request/certificate-signing-request-validation.js';
import { namespaceFinalize, namespaceStatus } from './core/namespace/namespace-status-validation.js';
import { persistentVolumeStatus } from './core/persistent-volume/persistent-volume-status-validation.js';
import { claimStatus } from './core/persistent-volume-claim/persistent-volume-claim-status-validation.js';
import { ephemeralContainers } from './core/pod/subresources/ephemeral-containers.js';
import { podStatus, podStatusWarnings } from './core/pod/subresources/pod-status.js';
import { resize } from './core/pod/subresources/resize.js';
import { replicationControllerStatus } from './core/replication-controller/replication-controller-status-validation.js';
import { resourceQuotaStatus } from './core/resource-quota/resource-quota-status-validation.js';
import { loadBalancerWarnings } from './core/service/load-balancer-status.js';
import { serviceStatus } from './core/service/service-status-validation.js';
import { checkFlowConditions } from './flowcontrol/flow-schema/flow-schema-validation.js';
import { ingressStatus } from './networking/ingress/ingress-status-validation.js';
import { disruptionBudgetStatus } from './policy/pod-disruption-budget/pod-disruption-budget-status-validation.js';
import { resourceClaimStatus } from './resource/resource-claim/resource-claim-status-validation.js';

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
]);

/** Subresources that are asked the same as the objects themselves. */
const asTheObject: ReadonlySet<string> = new Set(['nodes./status', 'volumeattachments.storage.k8s.io/status']);

/** The rules of a subresource's updates: `object` where they are those of the object itself; undefined where they are not reproduced. */
export function subresourceRulesOf({ resource, group }: Resource, subresource: string): SubresourceRules | 'object' | undefined {
  const key = `${resource}.${group}/${subresource}`;
  return asTheObject.has(key) ? 'object' : rules.get(key);
}
