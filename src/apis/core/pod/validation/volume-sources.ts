import { annotationErrors } from '../../../../apiserver/registry/object-meta.js';
import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import {
  checkDescendingPath,
  checkFileMode,
  checkLabels,
  checkNoBacksteps,
  checkOneOf,
  checkRequired,
} from '../../../../apiserver/registry/validation/rules.js';
import { ownMember } from '../../../../go/own-members.js';
import { dns1123SubdomainProblems } from '../../../../kubernetes/name-rules.js';
import { checkClaimSpec } from './claim-spec.js';
import {
  checkAzureDisk,
  checkFibreChannel,
  checkFlexOptions,
  checkFlocker,
  checkIscsi,
  checkMonitors,
  checkQuobyte,
  checkRbd,
  checkSecretName,
  checkStorageOs,
} from './network-volumes.js';
import { checkTemplateMeta } from './template-meta.js';
import { checkDownwardFile, checkKeyToPath } from './volume-files.js';
import { checkProjectedSources } from './volume-projections.js';

/** Validates the source of a volume, by its field. Source: the validate...VolumeSource functions of core/validation. */
export function checkVolumeSource(source: FieldPath, kind: string, isPod: boolean): void {
  if (kind === 'image') {
    if (isPod || source.server.since('v1.37')) checkRequired(source, 'reference');
    checkOneOf(source.child('pullPolicy'), ['Always', 'IfNotPresent', 'Never']);
    return;
  }
  const [members = [], check] = ownMember(sourceChecks, kind) ?? [];
  checkRequired(source, ...members);
  check?.(source);
}

type SourceCheck = (source: FieldPath) => void;

/** Required members of each source, and its further checks. */
const sourceChecks: Readonly<Record<string, readonly [readonly string[], SourceCheck?]>> = {
  emptyDir: [[], checkEmptyDir],
  hostPath: [['path'], checkHostPath],
  gitRepo: [['repository'], source => checkDescendingPath(source.child('directory'))],
  gcePersistentDisk: [['pdName'], checkPartition],
  awsElasticBlockStore: [['volumeID'], checkPartition],
  secret: [['secretName'], checkKeyed],
  configMap: [['name'], checkKeyed],
  nfs: [['server', 'path'], checkNfs],
  iscsi: [['targetPortal'], source => checkIscsi(source)],
  glusterfs: [['endpoints', 'path']],
  flocker: [[], checkFlocker],
  persistentVolumeClaim: [['claimName']],
  rbd: [[], checkRbd],
  cinder: [['volumeID'], checkSecretName],
  cephfs: [[], checkMonitors],
  quobyte: [[], checkQuobyte],
  downwardAPI: [[], checkDownwardApi],
  fc: [[], checkFibreChannel],
  flexVolume: [['driver'], checkFlexOptions],
  azureFile: [['secretName', 'shareName']],
  vsphereVolume: [['volumePath']],
  photonPersistentDisk: [['pdID']],
  portworxVolume: [['volumeID']],
  azureDisk: [['diskName', 'diskURI'], checkAzureDisk],
  storageos: [[], checkStorageOs],
  projected: [[], checkProjected],
  scaleIO: [['gateway', 'system', 'volumeName']],
  csi: [[], checkCsi],
  ephemeral: [[], checkEphemeral],
};

/** Validates a partition; 0 is valid although the message says otherwise. */
function checkPartition(source: FieldPath): void {
  const partition = source.child('partition');
  if (partition.number() < 0n || partition.number() > 255n) partition.invalid('must be between 1 and 255, inclusive');
}

const hostPathTypes = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

function checkHostPath(source: FieldPath): void {
  checkNoBacksteps(source.child('path'));
  const type = source.child('type');
  if (type.isSet() && !hostPathTypes.includes(type.text())) type.notSupported(hostPathTypes);
}

function checkKeyed(source: FieldPath): void {
  checkFileMode(source.child('defaultMode'));
  for (const item of source.child('items').items()) checkKeyToPath(item);
}

function checkNfs(source: FieldPath): void {
  if (!source.text('path').startsWith('/')) source.child('path').invalid('must be an absolute path');
}

function checkDownwardApi(source: FieldPath): void {
  checkFileMode(source.child('defaultMode'));
  for (const file of source.child('items').items()) checkDownwardFile(file.shownAt(source.path));
}

function checkProjected(source: FieldPath): void {
  checkFileMode(source.child('defaultMode'));
  checkProjectedSources(source);
}

function checkCsi(source: FieldPath): void {
  checkDriverName(source.child('driver'));
  const secret = source.child('nodePublishSecretRef');
  if (!secret.isSet()) return;
  if (secret.text('name') === '') secret.child('name').required();
  else source.child('name').invalidEach(secret.text('name'), dns1123SubdomainProblems(secret.text('name')));
}

/** Validates the name of a CSI driver. Source: ValidateCSIDriverName. */
export function checkDriverName(driver: FieldPath): void {
  const name = driver.text();
  if (name === '') {
    driver.required();
    if (driver.server.since('v1.35')) return;
  }
  checkDriverNameLength(driver, Buffer.byteLength(name), 'bytes');
  driver.invalidEach(name, dns1123SubdomainProblems(name.toLowerCase()));
}

function checkDriverNameLength(driver: FieldPath, length: number, unit: string): void {
  if (length > 63)
    driver.errors.push({ type: 'FieldValueTooLong', field: driver.path, badValue: undefined, detail: `may not be more than 63 ${unit}` });
}

function checkEphemeral(source: FieldPath): void {
  const template = source.child('volumeClaimTemplate');
  if (!template.isSet()) {
    template.required();
    return;
  }
  const metadata = template.child('metadata');
  template.add(annotationErrors(source.server, metadata.child('annotations').members(), `${metadata.path}.annotations`));
  checkLabels(metadata.child('labels'));
  checkTemplateMeta(metadata);
  checkClaimSpec(template.child('spec'));
}

function checkEmptyDir(source: FieldPath): void {
  const mode = source.child('mode');
  if (mode.isSet() && (mode.number() < 0n || mode.number() > 0o1777n))
    mode.invalid('must be a number between 0 and 01777 (octal), both inclusive');
}
