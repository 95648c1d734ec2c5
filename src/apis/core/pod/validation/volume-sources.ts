import { annotationErrors } from '../../../../apiserver/registry/object-meta.js';
import { declared } from '../../../../apiserver/registry/validation/declared.js';
import {
  addInvalid,
  addProblems,
  addRequired,
  addUnsupported,
  at,
  indexed,
  isSet,
  mapOf,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../../../../apiserver/registry/validation/place.js';
import {
  checkDescendingPath,
  checkFileMode,
  checkLabels,
  checkNoBacksteps,
  checkOneOf,
  checkRequired,
} from '../../../../apiserver/registry/validation/rules.js';
import { caselessLongNameProblems, dns1123SubdomainProblems } from '../../../../kubernetes/name-rules.js';
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
export function checkVolumeSource(source: Place, kind: string, isPod: boolean): void {
  if (kind === 'image') {
    if (isPod || source.server.since('v1.37')) checkRequired(source, 'reference');
    checkOneOf(at(source, 'pullPolicy'), ['Always', 'IfNotPresent', 'Never']);
    return;
  }
  const [members = [], check] = sourceChecks[kind] ?? [];
  checkRequired(source, ...members);
  check?.(source);
}

type SourceCheck = (source: Place) => void;

/** Required members of each source, and its further checks. */
const sourceChecks: Readonly<Record<string, readonly [readonly string[], SourceCheck?]>> = {
  emptyDir: [[], checkEmptyDir],
  hostPath: [['path'], checkHostPath],
  gitRepo: [['repository'], source => checkDescendingPath(at(source, 'directory'))],
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
function checkPartition(source: Place): void {
  const partition = at(source, 'partition');
  if (numberOf(partition) < 0n || numberOf(partition) > 255n) addInvalid(partition, 'must be between 1 and 255, inclusive');
}

const hostPathTypes = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

function checkHostPath(source: Place): void {
  checkNoBacksteps(at(source, 'path'));
  const type = at(source, 'type');
  if (isSet(type) && !hostPathTypes.includes(textOf(type))) addUnsupported(type, hostPathTypes);
}

function checkKeyed(source: Place): void {
  checkFileMode(at(source, 'defaultMode'));
  for (const item of indexed(at(source, 'items'))) checkKeyToPath(item);
}

function checkNfs(source: Place): void {
  if (!textAt(source, 'path').startsWith('/')) addInvalid(at(source, 'path'), 'must be an absolute path');
}

function checkDownwardApi(source: Place): void {
  checkFileMode(at(source, 'defaultMode'));
  for (const file of indexed(at(source, 'items'))) checkDownwardFile({ ...file, path: source.path });
}

function checkProjected(source: Place): void {
  checkFileMode(at(source, 'defaultMode'));
  checkProjectedSources(source);
}

function checkCsi(source: Place): void {
  checkDriverName(at(source, 'driver'));
  const secret = at(source, 'nodePublishSecretRef');
  if (!isSet(secret)) return;
  if (textAt(secret, 'name') === '') addRequired(at(secret, 'name'));
  else addProblems({ ...source, path: `${source.path}.name` }, dns1123SubdomainProblems(textAt(secret, 'name')), textAt(secret, 'name'));
}

/** Validates the name of a CSI driver. Source: ValidateCSIDriverName. */
export function checkDriverName(driver: Place): void {
  const name = textOf(driver);
  if (name === '') {
    addRequired(driver);
    if (driver.server.since('v1.35')) return;
  }
  checkDriverNameLength(driver, Buffer.byteLength(name), 'bytes');
  addProblems(driver, dns1123SubdomainProblems(name.toLowerCase()), name);
}

/**
 * Validates the name of a driver where declarative validation does so, too, and in its own words; `old` is the name before an update. Source:
 * storage/v1 and resource/v1 zz_generated.validations.go.
 */
export function checkDeclaredDriverName(driver: Place, old?: Place): void {
  declared(driver, old, isDeclared => {
    const name = textOf(driver);
    if (!isDeclared || name === '') return checkDriverName(driver);
    addProblems(driver, caselessLongNameProblems(name), name);
    checkDriverNameLength(driver, [...name].length, 'characters');
  });
}

function checkDriverNameLength(driver: Place, length: number, unit: string): void {
  if (length > 63)
    driver.errors.push({ type: 'FieldValueTooLong', field: driver.path, badValue: undefined, detail: `may not be more than 63 ${unit}` });
}

function checkEphemeral(source: Place): void {
  const template = at(source, 'volumeClaimTemplate');
  if (!isSet(template)) {
    addRequired(template);
    return;
  }
  const metadata = at(template, 'metadata');
  template.errors.push(...annotationErrors(source.server, mapOf(at(metadata, 'annotations')), `${metadata.path}.annotations`));
  checkLabels(at(metadata, 'labels'));
  checkTemplateMeta(metadata);
  checkClaimSpec(at(template, 'spec'));
}

function checkEmptyDir(source: Place): void {
  const mode = at(source, 'mode');
  if (isSet(mode) && (numberOf(mode) < 0n || numberOf(mode) > 0o1777n))
    addInvalid(mode, 'must be a number between 0 and 01777 (octal), both inclusive');
}
