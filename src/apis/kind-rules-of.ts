import type { KindRules } from '../apiserver/registry/validation/kind-rules.js';
import { addNote, type CallNotes } from '../kubernetes/call-notes.js';
import type { Resource } from '../kubernetes/resource-table.js';
import { mutatingPolicyRules } from './admissionregistration/admission-policy/mutating-policy-validation.js';
import { mutatingBindingRules, validatingBindingRules } from './admissionregistration/admission-policy/policy-binding-validation.js';
import { validatingPolicyRules } from './admissionregistration/admission-policy/validating-policy-validation.js';
import { storageVersionRules } from './apiserverinternal/storage-version/storage-version-validation.js';
import { controllerRevisionRules } from './apps/controller-revision/controller-revision-validation.js';
import { daemonSetRules } from './apps/daemon-set/daemon-set-validation.js';
import { deploymentRules } from './apps/deployment/deployment-validation.js';
import { replicaSetRules } from './apps/replica-set/replica-set-validation.js';
import { statefulSetRules } from './apps/stateful-set/stateful-set-validation.js';
import { autoscalerRules } from './autoscaling/horizontal-pod-autoscaler/horizontal-pod-autoscaler-validation.js';
import { cronJobRules } from './batch/cron-job/cron-job-validation.js';
import { jobRules } from './batch/job/job-validation.js';
import { certificateRequestRules } from './certificates/certificate-signing-request/certificate-signing-request-validation.js';
import { leaseRules } from './coordination/lease/lease-validation.js';
import { leaseCandidateRules } from './coordination/lease-candidate/lease-candidate-validation.js';
import { configMapRules } from './core/config-map/config-map-validation.js';
import { endpointsRules } from './core/endpoints/endpoints-validation.js';
import { coreEventRules, eventRulesOf } from './core/event/event-validation.js';
import { limitRangeRules } from './core/limit-range/limit-range-validation.js';
import { namespaceRules } from './core/namespace/namespace-validation.js';
import { nodeRules } from './core/node/node-validation.js';
import { persistentVolumeRules } from './core/persistent-volume/persistent-volume-validation.js';
import { claimRules } from './core/persistent-volume-claim/persistent-volume-claim-validation.js';
import { podRules } from './core/pod/pod-validation.js';
import { podTemplateRules } from './core/pod-template/pod-template-validation.js';
import { replicationControllerRules } from './core/replication-controller/replication-controller-validation.js';
import { resourceQuotaRules } from './core/resource-quota/resource-quota-validation.js';
import { secretRules } from './core/secret/secret-validation.js';
import { serviceRules } from './core/service/service-validation.js';
import { serviceAccountRules } from './core/service-account/service-account-validation.js';
import { endpointSliceRules } from './discovery/endpoint-slice/endpoint-slice-validation.js';
import { flowSchemaRules } from './flowcontrol/flow-schema/flow-schema-validation.js';
import { priorityLevelRules } from './flowcontrol/priority-level-configuration/priority-level-configuration-validation.js';
import { ingressRules } from './networking/ingress/ingress-validation.js';
import { ingressClassRules } from './networking/ingress-class/ingress-class-validation.js';
import { ipAddressRules } from './networking/ip-address/ip-address-validation.js';
import { networkPolicyRules } from './networking/network-policy/network-policy-validation.js';
import { serviceCidrRules } from './networking/service-cidr/service-cidr-validation.js';
import { runtimeClassRules } from './node/runtime-class/runtime-class-validation.js';
import { podDisruptionBudgetRules } from './policy/pod-disruption-budget/pod-disruption-budget-validation.js';
import { clusterRoleRules } from './rbac/cluster-role/cluster-role-validation.js';
import { roleRules } from './rbac/role/role-validation.js';
import { clusterRoleBindingRules, roleBindingRules } from './rbac/role-binding/role-binding-validation.js';
import { deviceClassRules } from './resource/device-class/device-class-validation.js';
import { deviceTaintRuleRules } from './resource/device-taint-rule/device-taint-rule-validation.js';
import { resourceClaimRules, resourceClaimTemplateRules } from './resource/resource-claim/resource-claim-validation.js';
import { resourceSliceRules } from './resource/resource-slice/resource-slice-validation.js';
import { priorityClassRules } from './scheduling/priority-class/priority-class-validation.js';
import { csiDriverRules } from './storage/csi-driver/csi-driver-validation.js';
import { csiNodeRules } from './storage/csi-node/csi-node-validation.js';
import { csiStorageCapacityRules } from './storage/csi-storage-capacity/csi-storage-capacity-validation.js';
import { storageClassRules } from './storage/storage-class/storage-class-validation.js';
import { volumeAttachmentRules } from './storage/volume-attachment/volume-attachment-validation.js';
import { volumeAttributesClassRules } from './storage/volume-attributes-class/volume-attributes-class-validation.js';

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
  ['mutatingadmissionpolicies.admissionregistration.k8s.io', 'the expressions of mutations are not compiled'],
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
