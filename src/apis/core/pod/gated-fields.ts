import type { GatedFeature, GatedFields } from '../../../apiserver/registry/kind-definition.js';
import { isMap, listAt, mapAt, stringAt, type ValueMap } from '../../../go/value.js';
import { initContainerAnnotations } from '../init-container-annotations.js';

/** Restart rules of containers: for sidecars, only the policy is kept. Source: kubernetes pkg/api/pod/util.go dropContainerRestartRules. */
const restartRules: GatedFeature = {
  isInUse: spec =>
    mapsIn(spec, 'containers').some(container => container.has('restartPolicy')) ||
    mapsIn(spec, 'initContainers').some(container => hasOtherPolicy(container) || listAt(container, 'restartPolicyRules').length > 0),
  drop: spec => {
    for (const list of ['containers', 'ephemeralContainers'])
      for (const container of mapsIn(spec, list)) for (const name of ['restartPolicy', 'restartPolicyRules']) container.delete(name);
    for (const container of mapsIn(spec, 'initContainers')) {
      if (hasOtherPolicy(container)) container.delete('restartPolicy');
      container.delete('restartPolicyRules');
    }
  },
};

function hasOtherPolicy(container: ValueMap): boolean {
  return container.has('restartPolicy') && stringAt(container, 'restartPolicy') !== 'Always';
}

/** Image volumes are removed from the pod together with their mounts. Source: kubernetes pkg/api/pod/util.go dropImageVolumes. */
const imageVolumes: GatedFeature = {
  isInUse: spec => mapsIn(spec, 'volumes').some(volume => volume.has('image')),
  drop: spec => {
    const names = new Set(
      mapsIn(spec, 'volumes')
        .filter(volume => volume.has('image'))
        .map(volume => stringAt(volume, 'name')),
    );
    keepItems(spec, 'volumes', volume => !volume.has('image'));
    for (const list of ['containers', 'initContainers', 'ephemeralContainers'])
      for (const container of mapsIn(spec, list)) keepItems(container, 'volumeMounts', mount => !names.has(stringAt(mount, 'name')));
  },
};

/** A list without items is removed. */
function keepItems(holder: ValueMap, name: string, isKept: (item: ValueMap) => boolean): void {
  const kept = mapsIn(holder, name).filter(isKept);
  if (kept.length > 0) holder.set(name, kept);
  else holder.delete(name);
}

function mapsIn(holder: ValueMap, name: string): ValueMap[] {
  return listAt(holder, name).filter(isMap);
}

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
