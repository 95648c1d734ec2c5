import type { GatedFields } from '../../../apiserver/registry/kind-definition.js';
import { imageVolumes, restartRules } from './gated-features.js';

const containers = ['containers', 'initContainers', 'ephemeralContainers'];
const inContainers = (name: string): string[] => containers.map(list => `${list}.*.${name}`);

/** Fields of a pod spec. Source: kubernetes pkg/api/pod/util.go dropDisabledFields. */
const inPodSpec: readonly GatedFields[] = [
  { gates: ['UserNamespacesSupport'], paths: ['hostUsers'] },
  { gates: ['SupplementalGroupsPolicy'], paths: ['securityContext.supplementalGroupsPolicy'] },
  { gates: ['PodLevelResources'], paths: ['resources'] },
  { gates: ['ClusterTrustBundleProjection'], paths: ['volumes.*.projected.sources.*.clusterTrustBundle'] },
  { gates: ['PodCertificateRequest'], paths: ['volumes.*.projected.sources.*.podCertificate'] },
  { gates: ['GenericWorkload'], paths: ['schedulingGroup'] },
  { gates: ['GenericWorkload'], paths: ['workloadRef'] },
  { gates: ['HostnameOverride'], paths: ['hostnameOverride'] },
  { gates: ['EnvFiles'], paths: inContainers('env.*.valueFrom.fileKeyRef') },
  { gates: ['SELinuxChangePolicy'], paths: ['securityContext.seLinuxChangePolicy'] },
  { gates: ['ContainerStopSignals'], paths: inContainers('lifecycle.stopSignal') },
];

/** Returns the gated fields of a pod spec at `path`, such as `spec.template.spec`. */
export function gatedPodFieldsBelow(path: string): GatedFields[] {
  return [
    ...inPodSpec.map(({ gates, paths }) => ({ gates, paths: paths.map(field => `${path}.${field}`) })),
    { gates: ['ContainerRestartRules'], paths: [path], feature: restartRules },
    { gates: ['ImageVolume'], paths: [path], feature: imageVolumes },
  ];
}

const statuses = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'];
const inStatuses = (name: string): string[] => statuses.map(list => `status.${list}.*.${name}`);

/** Source: kubernetes pkg/api/pod/util.go dropDisabledPodStatusFields. */
export const podGatedFields: readonly GatedFields[] = [
  ...gatedPodFieldsBelow('spec'),
  { gates: ['InPlacePodLevelResourcesVerticalScaling'], paths: ['status.resources', 'status.allocatedResources'] },
  { gates: ['DRAExtendedResource'], paths: ['status.extendedResourceClaimStatus'] },
  { gates: ['ResourceHealthStatus'], paths: inStatuses('allocatedResourcesStatus') },
  { gates: ['ResourceHealthStatusMessage'], paths: inStatuses('allocatedResourcesStatus.*.resources.*.message') },
  { gates: ['ImageVolumeWithDigest'], paths: inStatuses('volumeMounts.*.volumeStatus') },
  { gates: ['DRANodeAllocatableResources'], paths: ['status.nodeAllocatableResourceClaimStatuses'] },
];

export const podTemplateGatedFields: readonly GatedFields[] = gatedPodFieldsBelow('template.spec');

/** Gated fields of kinds with a pod template in `spec.template`. */
export const templateGatedFields: readonly GatedFields[] = gatedPodFieldsBelow('spec.template.spec');
