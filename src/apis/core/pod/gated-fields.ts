import type { GatedFeature, GatedFields } from '../../../apiserver/registry/kind-definition.js';
import { mapAt } from '../../../go/value.js';
import { imageVolumes, restartRules } from './gated-features.js';
import { initContainerAnnotations } from './init-container-annotations.js';

/** No gate has this name, so it is disabled. */
const never = '';

const containers = ['containers', 'initContainers', 'ephemeralContainers'];
const inContainers = (name: string): string[] => containers.map(list => `${list}.*.${name}`);

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'];

/** Owners of the files in volumes. */
const usersOfFiles: readonly string[] = [
  ...['secret', 'configMap', 'downwardAPI'].flatMap(source => [
    `${source}.defaultUser`,
    `${source}.items.*.user`,
    `projected.sources.*.${source}.items.*.user`,
  ]),
  'projected.defaultUser',
  ...['serviceAccountToken', 'clusterTrustBundle', 'podCertificate'].map(source => `projected.sources.*.${source}.user`),
];

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
  { gates: ['EvictionRequestAPI'], paths: ['evictionResponders'] },
  { gates: ['EmptyDirVolumeMode'], paths: ['volumes.*.emptyDir.mode'] },
  { gates: ['AtomicWriteVolumeUserFields'], paths: usersOfFiles.map(field => `volumes.*.${field}`) },
  { gates: ['VolumeBindMountOptions'], paths: inContainers('volumeMounts.*.bindMountOptions') },
  {
    gates: ['H2CContainerProbe'],
    paths: [...probes, 'lifecycle.postStart', 'lifecycle.preStop'].flatMap(at => inContainers(`${at}.httpGet.protocol`)),
  },
  { gates: ['GRPCContainerProbeTLS'], paths: probes.flatMap(probe => inContainers(`${probe}.grpc.mode`)) },
];

/** Returns the gated fields of a pod spec at `path`, such as `spec.template.spec`. */
export function gatedPodFieldsBelow(path: string): GatedFields[] {
  return [
    ...inPodSpec.map(({ gates, paths }) => ({ gates, paths: paths.map(field => `${path}.${field}`) })),
    { gates: ['ContainerRestartRules'], paths: [path], feature: restartRules },
    { gates: ['ImageVolume'], paths: [path], feature: imageVolumes },
    { gates: [never], minors: server => server.since('v1.37'), paths: [path.replace(/spec$/, 'metadata')], feature: initAnnotations },
  ];
}

/** Annotations of containers that were fields later; up to v1.36 the conversion removes them. Source: DropInitContainerAnnotations. */
const initAnnotations: GatedFeature = {
  isInUse: () => false,
  drop: metadata => {
    const annotations = mapAt(metadata, 'annotations');
    for (const key of initContainerAnnotations) annotations?.delete(key);
  },
};

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
  { gates: ['CSIVolumeHealth'], paths: ['status.volumeHealth'] },
];

export const podTemplateGatedFields: readonly GatedFields[] = gatedPodFieldsBelow('template.spec');

/** Gated fields of kinds with a pod template in `spec.template`. */
export const templateGatedFields: readonly GatedFields[] = gatedPodFieldsBelow('spec.template.spec');
