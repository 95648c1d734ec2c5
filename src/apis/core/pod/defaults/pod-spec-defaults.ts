import { constants, type DefaultRules, isAbsent, setDefault } from '../../../../apiserver/objects/default-rules.js';
import { isMap, stringAt, type ValueMap } from '../../../../go/value.js';
import { parseImageReference } from '../../../../kubernetes/image-reference.js';

/** Defaults of every pod spec, of a pod or in a template. Source: kubernetes pkg/apis/core/v1/defaults.go. */
export const podSpecDefaults: DefaultRules = {
  'core/v1.PodSpec': (spec, _now, server) => {
    setDefault(spec, 'dnsPolicy', 'ClusterFirst');
    setDefault(spec, 'restartPolicy', 'Always');
    setDefault(spec, 'securityContext', new Map());
    setDefault(spec, 'terminationGracePeriodSeconds', 30n);
    setDefault(spec, 'schedulerName', 'default-scheduler');
    if (server.since('v1.37')) alignAccounts(spec);
  },
  'core/v1.Container': defaultContainer,
  'core/v1.EphemeralContainer': defaultContainer,
  'core/v1.ContainerPort': constants({ protocol: 'TCP' }),
  'core/v1.Probe': constants({ timeoutSeconds: 1n, periodSeconds: 10n, successThreshold: 1n, failureThreshold: 3n }),
  'core/v1.HTTPGetAction': constants({ path: '/', scheme: 'HTTP' }),
  'core/v1.GRPCAction': constants({ service: '' }),
  'core/v1.ObjectFieldSelector': constants({ apiVersion: 'v1' }),
  'core/v1.FileKeySelector': constants({ optional: false }),
};

/** Defaults of the volumes of every pod spec, and of persistent volumes with the same sources. */
export const volumeDefaults: DefaultRules = {
  'core/v1.Volume': (volume, _now, server) => {
    if ([...volume].every(([key, source]) => key === 'name' || source === null)) volume.set('emptyDir', new Map());
    const image = volume.get('image');
    if (isMap(image) && server.isEnabled('ImageVolume')) setDefault(image, 'pullPolicy', pullPolicyOf(stringAt(image, 'reference')));
  },
  'core/v1.HostPathVolumeSource': constants({ type: '' }),
  'core/v1.SecretVolumeSource': constants({ defaultMode: 0o644n }),
  'core/v1.ConfigMapVolumeSource': constants({ defaultMode: 0o644n }),
  'core/v1.DownwardAPIVolumeSource': constants({ defaultMode: 0o644n }),
  'core/v1.ProjectedVolumeSource': constants({ defaultMode: 0o644n }),
  'core/v1.ServiceAccountTokenProjection': constants({ expirationSeconds: 3600n }),
  'core/v1.ISCSIVolumeSource': constants({ iscsiInterface: 'default' }),
  'core/v1.ISCSIPersistentVolumeSource': constants({ iscsiInterface: 'default' }),
  'core/v1.RBDVolumeSource': constants({ pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' }),
  'core/v1.RBDPersistentVolumeSource': constants({ pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' }),
  'core/v1.AzureDiskVolumeSource': constants({ cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' }),
  'core/v1.ScaleIOVolumeSource': constants({ storageMode: 'ThinProvisioned', fsType: 'xfs' }),
  'core/v1.ScaleIOPersistentVolumeSource': constants({ storageMode: 'ThinProvisioned', fsType: 'xfs' }),
  'core/v1.PersistentVolumeClaimSpec': constants({ volumeMode: 'Filesystem' }),
};

/** Keeps both names of the service account equal; up to v1.36 the conversion does it. */
function alignAccounts(spec: ValueMap): void {
  const name = stringAt(spec, 'serviceAccountName') || stringAt(spec, 'serviceAccount');
  for (const key of ['serviceAccountName', 'serviceAccount']) {
    if (name === '') spec.delete(key);
    else spec.set(key, name);
  }
}

function defaultContainer(container: ValueMap): void {
  if (isAbsent(container, 'imagePullPolicy')) container.set('imagePullPolicy', pullPolicyOf(stringAt(container, 'image')));
  setDefault(container, 'terminationMessagePath', '/dev/termination-log');
  setDefault(container, 'terminationMessagePolicy', 'File');
}

function pullPolicyOf(image: string): string {
  return imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

/**
 * Returns the tag of an image reference: `latest` when it has neither tag nor digest, empty with only a digest and for an invalid
 * reference. Source: kubernetes util/parsers ParseImageName.
 */
export function imageTag(image: string): string {
  const parsed = parseImageReference(image);
  if ('error' in parsed) return '';
  return parsed.tag === '' && parsed.digest === '' ? 'latest' : parsed.tag;
}
