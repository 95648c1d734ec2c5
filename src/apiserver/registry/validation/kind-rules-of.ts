import { addNote, type CallNotes } from '../../../kubernetes/call-notes.js';
import type { Resource } from '../../../kubernetes/resource-table.js';
import { deviceClassRules, deviceTaintRuleRules, resourceClaimRules, resourceClaimTemplateRules } from './devices/device-kinds.js';
import { resourceSliceRules } from './devices/slice.js';
import type { KindRules } from './kind-rules.js';
import { clusterRoleBindingRules, clusterRoleRules, roleBindingRules, roleRules } from './kinds/access.js';
import { autoscalerRules } from './kinds/autoscaling.js';
import { certificateRequestRules } from './kinds/certificate-request.js';
import { claimRules, namespaceRules, resourceQuotaRules, storageClassRules } from './kinds/cluster.js';
import { configMapRules, secretRules } from './kinds/config-data.js';
import { cronJobRules } from './kinds/cron-jobs.js';
import { daemonSetRules } from './kinds/daemon-sets.js';
import { deploymentRules, podTemplateRules, replicaSetRules, replicationControllerRules } from './kinds/deployments.js';
import { endpointSliceRules, endpointsRules } from './kinds/endpoints.js';
import { coreEventRules, eventRulesOf } from './kinds/events.js';
import { flowSchemaRules } from './kinds/flow-schema.js';
import { ingressClassRules } from './kinds/ingress-class.js';
import { ipAddressRules } from './kinds/ip-address.js';
import { jobRules } from './kinds/jobs.js';
import { leaseCandidateRules } from './kinds/lease-candidate.js';
import { limitRangeRules } from './kinds/limit-range.js';
import { ingressRules, networkPolicyRules, serviceCidrRules } from './kinds/networking.js';
import { nodeRules } from './kinds/nodes.js';
import { podRules } from './kinds/pod.js';
import { priorityLevelRules } from './kinds/priority-level.js';
import { serviceRules } from './kinds/service.js';
import {
  controllerRevisionRules,
  leaseRules,
  podDisruptionBudgetRules,
  priorityClassRules,
  runtimeClassRules,
  serviceAccountRules,
} from './kinds/small-kinds.js';
import { statefulSetRules } from './kinds/stateful-sets.js';
import { storageVersionRules } from './kinds/storage-version.js';
import { mutatingBindingRules, mutatingPolicyRules, validatingBindingRules, validatingPolicyRules } from './policies/policy-rules.js';
import { volumeAttributesClassRules } from './storage/attributes-class.js';
import { csiDriverRules, csiNodeRules, csiStorageCapacityRules } from './storage/csi-kinds.js';
import { persistentVolumeRules } from './storage/persistent-volume.js';
import { volumeAttachmentRules } from './storage/volume-attachment.js';

/** By `resource.group`, whatever the version. Asked for by name, so that a call loads the rules of its own kind only. */
const rules: ReadonlyMap<string, () => KindRules> = new Map([
  ['pods.', () => podRules],
  ['serviceaccounts.', () => serviceAccountRules],
  ['podtemplates.', () => podTemplateRules],
  ['replicationcontrollers.', () => replicationControllerRules],
  ['configmaps.', () => configMapRules],
  ['secrets.', () => secretRules],
  ['deployments.apps', () => deploymentRules],
  ['replicasets.apps', () => replicaSetRules],
  ['daemonsets.apps', () => daemonSetRules],
  ['statefulsets.apps', () => statefulSetRules],
  ['controllerrevisions.apps', () => controllerRevisionRules],
  ['jobs.batch', () => jobRules],
  ['cronjobs.batch', () => cronJobRules],
  ['services.', () => serviceRules],
  ['endpoints.', () => endpointsRules],
  ['endpointslices.discovery.k8s.io', () => endpointSliceRules],
  ['ingresses.networking.k8s.io', () => ingressRules],
  ['ingressclasses.networking.k8s.io', () => ingressClassRules],
  ['networkpolicies.networking.k8s.io', () => networkPolicyRules],
  ['servicecidrs.networking.k8s.io', () => serviceCidrRules],
  ['poddisruptionbudgets.policy', () => podDisruptionBudgetRules],
  ['leases.coordination.k8s.io', () => leaseRules],
  ['priorityclasses.scheduling.k8s.io', () => priorityClassRules],
  ['runtimeclasses.node.k8s.io', () => runtimeClassRules],
  ['roles.rbac.authorization.k8s.io', () => roleRules],
  ['clusterroles.rbac.authorization.k8s.io', () => clusterRoleRules],
  ['rolebindings.rbac.authorization.k8s.io', () => roleBindingRules],
  ['clusterrolebindings.rbac.authorization.k8s.io', () => clusterRoleBindingRules],
  ['namespaces.', () => namespaceRules],
  ['resourcequotas.', () => resourceQuotaRules],
  ['persistentvolumeclaims.', () => claimRules],
  ['storageclasses.storage.k8s.io', () => storageClassRules],
  ['nodes.', () => nodeRules],
  ['flowschemas.flowcontrol.apiserver.k8s.io', () => flowSchemaRules],
  ['prioritylevelconfigurations.flowcontrol.apiserver.k8s.io', () => priorityLevelRules],
  ['events.', () => coreEventRules],
  ['csinodes.storage.k8s.io', () => csiNodeRules],
  ['csidrivers.storage.k8s.io', () => csiDriverRules],
  ['csistoragecapacities.storage.k8s.io', () => csiStorageCapacityRules],
  ['resourceclaims.resource.k8s.io', () => resourceClaimRules],
  ['resourceclaimtemplates.resource.k8s.io', () => resourceClaimTemplateRules],
  ['deviceclasses.resource.k8s.io', () => deviceClassRules],
  ['devicetaintrules.resource.k8s.io', () => deviceTaintRuleRules],
  ['resourceslices.resource.k8s.io', () => resourceSliceRules],
  ['persistentvolumes.', () => persistentVolumeRules],
  ['volumeattributesclasses.storage.k8s.io', () => volumeAttributesClassRules],
  ['limitranges.', () => limitRangeRules],
  ['volumeattachments.storage.k8s.io', () => volumeAttachmentRules],
  ['ipaddresses.networking.k8s.io', () => ipAddressRules],
  ['leasecandidates.coordination.k8s.io', () => leaseCandidateRules],
  ['storageversions.internal.apiserver.k8s.io', () => storageVersionRules],
  ['certificatesigningrequests.certificates.k8s.io', () => certificateRequestRules],
  ['validatingadmissionpolicies.admissionregistration.k8s.io', () => validatingPolicyRules],
  ['validatingadmissionpolicybindings.admissionregistration.k8s.io', () => validatingBindingRules],
  ['mutatingadmissionpolicies.admissionregistration.k8s.io', () => mutatingPolicyRules],
  ['mutatingadmissionpolicybindings.admissionregistration.k8s.io', () => mutatingBindingRules],
]);

/** What is asked of a resource's objects beyond metadata; undefined where that is not reproduced. */
export function kindRulesOf(resource: Resource): KindRules | undefined {
  if (resource.resource === 'events' && resource.group === 'events.k8s.io') return eventRulesOf(resource);
  // The rules are those of version 2; a version 1 object has its metrics elsewhere.
  if (resource.resource === 'horizontalpodautoscalers' && resource.group === 'autoscaling') return autoscalerRules;
  return rules.get(`${resource.resource}.${resource.group}`)?.();
}

/** Kinds of which the API server asks nothing beyond metadata, or whose checks stand elsewhere. */
const complete: ReadonlySet<string> = new Set([
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
]);

/** Kinds with checks that are not reproduced, and what is missing. */
const partial: ReadonlyMap<string, string> = new Map([
  ['volumeattachments.storage.k8s.io', 'the inline volume of a VolumeAttachment is not validated'],
  [
    'certificatesigningrequests.certificates.k8s.io',
    'the request in a CertificateSigningRequest is neither parsed nor its signature verified',
  ],
]);

/** Says that an object of a kind could be refused for reasons unknown here. */
export function noteIncomplete(resource: Resource, record: CallNotes, subresource = ''): void {
  if (subresource !== '') {
    addNote(record, `the validation of ${resource.resource}/${subresource} is not reproduced, but for metadata`);
    return;
  }
  const name = `${resource.resource}.${resource.group}`;
  const missing = resource.custom ? undefined : partial.get(name);
  if (missing !== undefined) addNote(record, missing);
  if (resource.custom || kindRulesOf(resource) !== undefined || complete.has(name)) return;
  addNote(record, `the validation of ${resource.kind.kind} objects is not reproduced, but for their metadata`);
}
