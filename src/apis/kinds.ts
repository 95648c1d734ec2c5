import type { KindDefinition } from '../apiserver/registry/kind-definition.js';
import { mutatingAdmissionPolicyKind } from './admissionregistration/mutating-admission-policy/mutating-admission-policy-kind.js';
import { mutatingAdmissionPolicyBindingKind, validatingAdmissionPolicyBindingKind } from './admissionregistration/policy-binding-kinds.js';
import { validatingAdmissionPolicyKind } from './admissionregistration/validating-admission-policy/validating-admission-policy-kind.js';
import {
  mutatingWebhookConfigurationKind,
  validatingWebhookConfigurationKind,
} from './admissionregistration/webhook-configuration-kinds.js';
import { customResourceDefinitionKind } from './apiextensions/custom-resource-definition/custom-resource-definition-kind.js';
import { apiServiceKind } from './apiregistration/api-service/api-service-kind.js';
import { storageVersionKind } from './apiserverinternal/storage-version/storage-version-kind.js';
import { controllerRevisionKind } from './apps/controller-revision/controller-revision-kind.js';
import { daemonSetKind } from './apps/daemon-set/daemon-set-kind.js';
import { deploymentKind } from './apps/deployment/deployment-kind.js';
import { replicaSetKind } from './apps/replica-set/replica-set-kind.js';
import { statefulSetKind } from './apps/stateful-set/stateful-set-kind.js';
import { localSubjectAccessReviewKind, selfSubjectAccessReviewKind, subjectAccessReviewKind } from './authorization/access-review-kinds.js';
import { horizontalPodAutoscalerKind } from './autoscaling/horizontal-pod-autoscaler/horizontal-pod-autoscaler-kind.js';
import { cronJobKind } from './batch/cron-job/cron-job-kind.js';
import { jobKind } from './batch/job/job-kind.js';
import { certificateSigningRequestKind } from './certificates/certificate-signing-request/certificate-signing-request-kind.js';
import { clusterTrustBundleKind } from './certificates/cluster-trust-bundle/cluster-trust-bundle-kind.js';
import { podCertificateRequestKind } from './certificates/pod-certificate-request/pod-certificate-request-kind.js';
import { leaseKind } from './coordination/lease/lease-kind.js';
import { leaseCandidateKind } from './coordination/lease-candidate/lease-candidate-kind.js';
import { configMapKind } from './core/config-map/config-map-kind.js';
import { endpointsKind } from './core/endpoints/endpoints-kind.js';
import { eventKind as coreEventKind } from './core/event/event-kind.js';
import { limitRangeKind } from './core/limit-range/limit-range-kind.js';
import { namespaceKind } from './core/namespace/namespace-kind.js';
import { nodeKind } from './core/node/node-kind.js';
import { persistentVolumeKind } from './core/persistent-volume/persistent-volume-kind.js';
import { persistentVolumeClaimKind } from './core/persistent-volume-claim/persistent-volume-claim-kind.js';
import { podKind } from './core/pod/pod-kind.js';
import { podTemplateKind } from './core/pod-template/pod-template-kind.js';
import { replicationControllerKind } from './core/replication-controller/replication-controller-kind.js';
import { resourceQuotaKind } from './core/resource-quota/resource-quota-kind.js';
import { secretKind } from './core/secret/secret-kind.js';
import { serviceKind } from './core/service/service-kind.js';
import { serviceAccountKind } from './core/service-account/service-account-kind.js';
import { endpointSliceKind } from './discovery/endpoint-slice/endpoint-slice-kind.js';
import { eventsGroupEventKind as eventsEventKind } from './events/event/event-kind.js';
import { flowSchemaKind } from './flowcontrol/flow-schema/flow-schema-kind.js';
import { priorityLevelConfigurationKind } from './flowcontrol/priority-level-configuration/priority-level-configuration-kind.js';
import { evictionKind, evictionRequestKind } from './lifecycle/eviction-kinds.js';
import { ingressKind } from './networking/ingress/ingress-kind.js';
import { ingressClassKind } from './networking/ingress-class/ingress-class-kind.js';
import { ipAddressKind } from './networking/ip-address/ip-address-kind.js';
import { networkPolicyKind } from './networking/network-policy/network-policy-kind.js';
import { serviceCidrKind } from './networking/service-cidr/service-cidr-kind.js';
import { runtimeClassKind } from './node/runtime-class/runtime-class-kind.js';
import { podDisruptionBudgetKind } from './policy/pod-disruption-budget/pod-disruption-budget-kind.js';
import { clusterRoleBindingKind, roleBindingKind } from './rbac/role-binding/role-binding-kinds.js';
import { clusterRoleKind, roleKind } from './rbac/role-kinds.js';
import { deviceClassKind } from './resource/device-class/device-class-kind.js';
import { deviceTaintRuleKind } from './resource/device-taint-rule/device-taint-rule-kind.js';
import { resourceClaimKind } from './resource/resource-claim/resource-claim-kind.js';
import { resourceClaimTemplateKind } from './resource/resource-claim-template/resource-claim-template-kind.js';
import { resourcePoolStatusRequestKind } from './resource/resource-pool-status-request/resource-pool-status-request-kind.js';
import { resourceSliceKind } from './resource/resource-slice/resource-slice-kind.js';
import { compositePodGroupKind } from './scheduling/composite-pod-group/composite-pod-group-kind.js';
import { podGroupKind } from './scheduling/pod-group/pod-group-kind.js';
import { priorityClassKind } from './scheduling/priority-class/priority-class-kind.js';
import { workloadKind } from './scheduling/workload/workload-kind.js';
import { csiDriverKind } from './storage/csi-driver/csi-driver-kind.js';
import { csiNodeKind } from './storage/csi-node/csi-node-kind.js';
import { csiStorageCapacityKind } from './storage/csi-storage-capacity/csi-storage-capacity-kind.js';
import { storageClassKind } from './storage/storage-class/storage-class-kind.js';
import { volumeAttachmentKind } from './storage/volume-attachment/volume-attachment-kind.js';
import { volumeAttributesClassKind } from './storage/volume-attributes-class/volume-attributes-class-kind.js';
import { storageVersionMigrationKind } from './storagemigration/storage-version-migration/storage-version-migration-kind.js';

/**
 * Definitions of the built-in kinds by `resource.group`, for every version of a resource. Functions, because in the
 * bundle a module is loaded when its export is first read: a call loads only the modules of its own kind. A resource without a row has the default behavior, and its validation is not reproduced.
 */
export const kinds: ReadonlyMap<string, () => KindDefinition> = new Map([
  ['configmaps.', () => configMapKind],
  ['endpoints.', () => endpointsKind],
  ['events.', () => coreEventKind],
  ['limitranges.', () => limitRangeKind],
  ['namespaces.', () => namespaceKind],
  ['nodes.', () => nodeKind],
  ['persistentvolumeclaims.', () => persistentVolumeClaimKind],
  ['persistentvolumes.', () => persistentVolumeKind],
  ['pods.', () => podKind],
  ['podtemplates.', () => podTemplateKind],
  ['replicationcontrollers.', () => replicationControllerKind],
  ['resourcequotas.', () => resourceQuotaKind],
  ['secrets.', () => secretKind],
  ['serviceaccounts.', () => serviceAccountKind],
  ['services.', () => serviceKind],
  ['apiservices.apiregistration.k8s.io', () => apiServiceKind],
  ['controllerrevisions.apps', () => controllerRevisionKind],
  ['daemonsets.apps', () => daemonSetKind],
  ['deployments.apps', () => deploymentKind],
  ['replicasets.apps', () => replicaSetKind],
  ['statefulsets.apps', () => statefulSetKind],
  ['events.events.k8s.io', () => eventsEventKind],
  ['horizontalpodautoscalers.autoscaling', () => horizontalPodAutoscalerKind],
  ['cronjobs.batch', () => cronJobKind],
  ['jobs.batch', () => jobKind],
  ['certificatesigningrequests.certificates.k8s.io', () => certificateSigningRequestKind],
  ['clustertrustbundles.certificates.k8s.io', () => clusterTrustBundleKind],
  ['podcertificaterequests.certificates.k8s.io', () => podCertificateRequestKind],
  ['ingressclasses.networking.k8s.io', () => ingressClassKind],
  ['ingresses.networking.k8s.io', () => ingressKind],
  ['ipaddresses.networking.k8s.io', () => ipAddressKind],
  ['networkpolicies.networking.k8s.io', () => networkPolicyKind],
  ['servicecidrs.networking.k8s.io', () => serviceCidrKind],
  ['poddisruptionbudgets.policy', () => podDisruptionBudgetKind],
  ['clusterrolebindings.rbac.authorization.k8s.io', () => clusterRoleBindingKind],
  ['clusterroles.rbac.authorization.k8s.io', () => clusterRoleKind],
  ['rolebindings.rbac.authorization.k8s.io', () => roleBindingKind],
  ['roles.rbac.authorization.k8s.io', () => roleKind],
  ['csidrivers.storage.k8s.io', () => csiDriverKind],
  ['csinodes.storage.k8s.io', () => csiNodeKind],
  ['csistoragecapacities.storage.k8s.io', () => csiStorageCapacityKind],
  ['storageclasses.storage.k8s.io', () => storageClassKind],
  ['volumeattachments.storage.k8s.io', () => volumeAttachmentKind],
  ['volumeattributesclasses.storage.k8s.io', () => volumeAttributesClassKind],
  ['mutatingadmissionpolicies.admissionregistration.k8s.io', () => mutatingAdmissionPolicyKind],
  ['mutatingadmissionpolicybindings.admissionregistration.k8s.io', () => mutatingAdmissionPolicyBindingKind],
  ['mutatingwebhookconfigurations.admissionregistration.k8s.io', () => mutatingWebhookConfigurationKind],
  ['validatingadmissionpolicies.admissionregistration.k8s.io', () => validatingAdmissionPolicyKind],
  ['validatingadmissionpolicybindings.admissionregistration.k8s.io', () => validatingAdmissionPolicyBindingKind],
  ['validatingwebhookconfigurations.admissionregistration.k8s.io', () => validatingWebhookConfigurationKind],
  ['customresourcedefinitions.apiextensions.k8s.io', () => customResourceDefinitionKind],
  ['priorityclasses.scheduling.k8s.io', () => priorityClassKind],
  ['podgroups.scheduling.k8s.io', () => podGroupKind],
  ['workloads.scheduling.k8s.io', () => workloadKind],
  ['compositepodgroups.scheduling.k8s.io', () => compositePodGroupKind],
  ['evictions.lifecycle.k8s.io', () => evictionKind],
  ['evictionrequests.lifecycle.k8s.io', () => evictionRequestKind],
  ['leases.coordination.k8s.io', () => leaseKind],
  ['leasecandidates.coordination.k8s.io', () => leaseCandidateKind],
  ['runtimeclasses.node.k8s.io', () => runtimeClassKind],
  ['endpointslices.discovery.k8s.io', () => endpointSliceKind],
  ['deviceclasses.resource.k8s.io', () => deviceClassKind],
  ['resourceclaims.resource.k8s.io', () => resourceClaimKind],
  ['resourceclaimtemplates.resource.k8s.io', () => resourceClaimTemplateKind],
  ['resourceslices.resource.k8s.io', () => resourceSliceKind],
  ['devicetaintrules.resource.k8s.io', () => deviceTaintRuleKind],
  ['resourcepoolstatusrequests.resource.k8s.io', () => resourcePoolStatusRequestKind],
  ['flowschemas.flowcontrol.apiserver.k8s.io', () => flowSchemaKind],
  ['prioritylevelconfigurations.flowcontrol.apiserver.k8s.io', () => priorityLevelConfigurationKind],
  ['storageversions.internal.apiserver.k8s.io', () => storageVersionKind],
  ['storageversionmigrations.storagemigration.k8s.io', () => storageVersionMigrationKind],
  ['subjectaccessreviews.authorization.k8s.io', () => subjectAccessReviewKind],
  ['selfsubjectaccessreviews.authorization.k8s.io', () => selfSubjectAccessReviewKind],
  ['localsubjectaccessreviews.authorization.k8s.io', () => localSubjectAccessReviewKind],
]);
