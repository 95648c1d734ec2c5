import type { ConversionRule } from '../apiserver/objects/conversion-rules.js';
import { ownMember } from '../go/own-members.js';
import { isMap, listAt, type ValueMap } from '../go/value.js';

/**
 * Returns the conversion rule of a list, by the table's name of its Go type. Lists whose items are converted one by one lose the items'
 * types; other items have the same memory layout in both forms and keep them. Source: kubernetes pkg/apis zz_generated.conversion.go.
 */
export function listConversion(structName: string): ConversionRule | undefined {
  if (!structName.endsWith('List')) return undefined;
  const dot = structName.lastIndexOf('.');
  const item = structName.slice(dot + 1, -'List'.length);
  return ownMember(convertedOneByOne, structName.slice(0, dot))?.includes(item) === true ? itemsWithoutKind : undefined;
}

/** Kinds by group and version. */
const convertedOneByOne: Readonly<Record<string, readonly string[]>> = {
  'admissionregistration/v1': [
    'MutatingAdmissionPolicyBinding',
    'MutatingAdmissionPolicy',
    'MutatingWebhookConfiguration',
    'ValidatingAdmissionPolicyBinding',
    'ValidatingAdmissionPolicy',
    'ValidatingWebhookConfiguration',
  ],
  'admissionregistration/v1alpha1': [
    'MutatingAdmissionPolicyBinding',
    'MutatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
    'ValidatingAdmissionPolicy',
  ],
  'admissionregistration/v1beta1': [
    'MutatingAdmissionPolicyBinding',
    'MutatingAdmissionPolicy',
    'MutatingWebhookConfiguration',
    'ValidatingAdmissionPolicyBinding',
    'ValidatingAdmissionPolicy',
    'ValidatingWebhookConfiguration',
  ],
  'apiextensions/v1': ['CustomResourceDefinition'],
  'apiextensions/v1beta1': ['CustomResourceDefinition'],
  'apiregistration/v1': ['APIService'],
  'apiregistration/v1beta1': ['APIService'],
  'apps/v1': ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  'apps/v1beta1': ['Deployment', 'StatefulSet'],
  'apps/v1beta2': ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  'autoscaling/v1': ['HorizontalPodAutoscaler'],
  'autoscaling/v2': ['HorizontalPodAutoscaler'],
  'batch/v1': ['CronJob', 'Job'],
  'batch/v1beta1': ['CronJob'],
  'certificates/v1beta1': ['CertificateSigningRequest'],
  'core/v1': ['Node', 'PersistentVolume', 'Pod', 'PodTemplate', 'ReplicationController', 'Secret', 'Service'],
  'discovery/v1beta1': ['EndpointSlice'],
  'events/v1': ['Event'],
  'events/v1beta1': ['Event'],
  'extensions/v1beta1': ['DaemonSet', 'Deployment', 'Ingress', 'NetworkPolicy', 'ReplicaSet'],
  'flowcontrol/v1': ['PriorityLevelConfiguration'],
  'flowcontrol/v1beta1': ['PriorityLevelConfiguration'],
  'flowcontrol/v1beta2': ['PriorityLevelConfiguration'],
  'flowcontrol/v1beta3': ['PriorityLevelConfiguration'],
  'networking/v1beta1': ['Ingress'],
  'node/v1alpha1': ['RuntimeClass'],
  'policy/v1': ['PodDisruptionBudget'],
  'policy/v1beta1': ['PodDisruptionBudget'],
  'rbac/v1alpha1': ['ClusterRoleBinding', 'RoleBinding'],
  'resource/v1beta1': ['ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'],
  'storage/v1': ['CSIDriver', 'VolumeAttachment'],
  'storage/v1alpha1': ['VolumeAttachment'],
  'storage/v1beta1': ['CSIDriver', 'VolumeAttachment'],
};

const itemsWithoutKind: ConversionRule = { toInternal: forgetItemKinds, fromInternal: forgetItemKinds };

function forgetItemKinds(list: ValueMap): void {
  for (const item of listAt(list, 'items').filter(isMap)) {
    item.delete('kind');
    item.delete('apiVersion');
  }
}
