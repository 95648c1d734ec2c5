import type { DisabledField } from '../../../apiserver/registry/kind-definition.js';

const containers = ['containers', 'initContainers', 'ephemeralContainers'];

/** Disabled fields of a pod spec. Source: the gates that are off in kubernetes pkg/features/kube_features.go, and the code that checks them. */
const inPodSpec: readonly DisabledField[] = [
  containers.map(list => `${list}.*.lifecycle.stopSignal`),
  ['volumes.*.projected.sources.*.clusterTrustBundle'],
  ['volumes.*.projected.sources.*.podCertificate'],
  ['schedulingGroup'],
];

/** Returns the disabled fields of a pod spec at `path`, such as `spec.template.spec`. */
export function disabledPodFieldsBelow(path: string): DisabledField[] {
  return inPodSpec.map(paths => paths.map(field => `${path}.${field}`));
}

export const podDisabledFields: readonly DisabledField[] = [
  ...disabledPodFieldsBelow('spec'),
  ['status.nodeAllocatableResourceClaimStatuses'],
];

export const podTemplateDisabledFields: readonly DisabledField[] = disabledPodFieldsBelow('template.spec');

/** Disabled fields of kinds with a pod template in `spec.template`. */
export const templateDisabledFields: readonly DisabledField[] = disabledPodFieldsBelow('spec.template.spec');
