import type { ApiObject } from '../apiserver/objects/api-object.js';
import { stringAt } from '../go/value.js';
import { parseApiVersion } from '../kubernetes/group-version.js';
import type { Resource } from '../kubernetes/resource-table.js';

/** Resources whose PUT creates what does not exist. */
export const createOnUpdate: ReadonlySet<string> = new Set([
  'clusterrolebindings',
  'clusterroles',
  'endpoints',
  'events',
  'leasecandidates',
  'leases',
  'limitranges',
  'rolebindings',
  'roles',
  'runtimeclasses',
  'services',
]);

/** Resources whose PUT must carry a resourceVersion. */
export const noUnconditionalUpdate: ReadonlySet<string> = new Set([
  'poddisruptionbudgets',
  'leases',
  'customresourcedefinitions',
  'apiservices',
  'mutatingwebhookconfigurations',
  'validatingwebhookconfigurations',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'runtimeclasses',
  'csidrivers',
  'csinodes',
  'csistoragecapacities',
  'volumeattachments',
]);

/** Kinds that count generations of their spec from 1. */
const generations: ReadonlySet<string> = new Set([
  'Pod',
  'Deployment',
  'StatefulSet',
  'ReplicaSet',
  'ReplicationController',
  'DaemonSet',
  'Job',
  'CronJob',
  'PodTemplate',
  'Ingress',
  'NetworkPolicy',
  'IngressClass',
  'PriorityClass',
  'EndpointSlice',
  'PodDisruptionBudget',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'MutatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicyBinding',
  'FlowSchema',
  'PriorityLevelConfiguration',
  'DeviceClass',
  'ResourceSlice',
  'CustomResourceDefinition',
]);

/** Kinds whose status a client cannot write through the main resource. */
const statusKinds: ReadonlySet<string> = new Set([
  'StorageVersion',
  'Pod',
  'Deployment',
  'StatefulSet',
  'ReplicaSet',
  'ReplicationController',
  'DaemonSet',
  'Job',
  'CronJob',
  'Service',
  'Ingress',
  'PodDisruptionBudget',
  'HorizontalPodAutoscaler',
  'Namespace',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'ResourceQuota',
  'CertificateSigningRequest',
  'ValidatingAdmissionPolicy',
  'FlowSchema',
  'PriorityLevelConfiguration',
  'VolumeAttachment',
  'ResourceClaim',
  'ServiceCIDR',
  'CustomResourceDefinition',
]);

/** Kinds whose status updates change no metadata. */
const metadataKeepers: ReadonlySet<string> = new Set([
  'DeviceTaintRule',
  'PodCertificateRequest',
  'PodGroup',
  'ResourceClaim',
  'ResourcePoolStatusRequest',
  'ServiceCIDR',
  'StorageVersion',
  'StorageVersionMigration',
  'ValidatingAdmissionPolicy',
  'VolumeAttachment',
]);

/** Does the kind carry `metadata.generation`? */
export function hasGeneration(resource: Resource): boolean {
  return resource.custom || generations.has(resource.kind.kind);
}

/** Is the status reset on create and restored on update of the main resource? */
export function resetsStatus(resource: Resource): boolean {
  if (resource.custom) return resource.subresources.some(s => s.name === 'status');
  return statusKinds.has(resource.kind.kind);
}

/** Does an update of the status leave labels, annotations and the like as they are stored? */
export function keepsMetadataInStatus(resource: Resource): boolean {
  return !resource.custom && metadataKeepers.has(resource.kind.kind);
}

/** The kind that validation's errors name: the internal type's, which for events is the core group's. A custom resource is what it says it is. */
export function kindInErrors({ value }: ApiObject, { kind, custom }: Resource): { readonly group: string; readonly kind: string } {
  if (!custom) return { group: kind.group === 'events.k8s.io' ? '' : kind.group, kind: kind.kind };
  const { group } = parseApiVersion(stringAt(value, 'apiVersion')) ?? kind;
  return { group, kind: stringAt(value, 'kind') };
}
