import { dns1123LabelProblems, dns1123SubdomainProblems } from '../../../../kubernetes/name-rules.js';
import { annotationErrors } from '../object-meta.js';
import {
  addInvalid,
  addProblems,
  addRequired,
  addUnsupported,
  at,
  flagAt,
  hasSet,
  indexed,
  isSet,
  lengthOf,
  mapOf,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../place.js';
import {
  checkDescendingPath,
  checkFileMode,
  checkLabels,
  checkName,
  checkNoBacksteps,
  checkNonReservedPath,
  checkOneOf,
  checkRange,
  checkRequired,
} from '../rules.js';
import { checkClaimSpec } from '../storage/claim-spec.js';
import { checkFieldRef, checkResourceFieldRef } from './container-env.js';
import { checkProjectedSources } from './volume-projections.js';
import { checkTemplateMeta } from './volumes.js';

/** Where the contents of a volume come from, by the source's field. Source: the validate...VolumeSource functions of core/validation. */
export function checkVolumeSource(source: Place, kind: string, isPod: boolean): void {
  if (kind === 'image') {
    if (isPod) checkRequired(source, 'reference');
    checkOneOf(at(source, 'pullPolicy'), ['Always', 'IfNotPresent', 'Never']);
    return;
  }
  const [members = [], check] = sourceChecks[kind] ?? [];
  checkRequired(source, ...members);
  check?.(source);
}

type SourceCheck = (source: Place) => void;

/** The members that must be there, and what else is to be seen to. */
const sourceChecks: Readonly<Record<string, readonly [readonly string[], SourceCheck?]>> = {
  hostPath: [['path'], checkHostPath],
  gitRepo: [['repository'], source => checkDescendingPath(at(source, 'directory'))],
  gcePersistentDisk: [['pdName'], checkPartition],
  awsElasticBlockStore: [['volumeID'], checkPartition],
  secret: [['secretName'], checkKeyed],
  configMap: [['name'], checkKeyed],
  nfs: [['server', 'path'], checkNfs],
  iscsi: [['targetPortal'], checkIscsi],
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

/** Partition 0 passes though the words do not say so. */
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

/** One key of a config map or secret, and the file it becomes. Source: validateKeyToPath. */
export function checkKeyToPath(item: Place): void {
  checkRequired(item, 'key', 'path');
  checkNonReservedPath(at(item, 'path'));
  checkFileMode(at(item, 'mode'));
}

function checkNfs(source: Place): void {
  if (!textAt(source, 'path').startsWith('/')) addInvalid(at(source, 'path'), 'must be an absolute path');
}

const qualifiedNames: readonly (readonly [string, RegExp])[] = [
  ['iqn', /^iqn\.\d{4}-\d{2}\.([A-Za-z0-9-_.]+)(:[^,;*&$|\s]+)$/],
  ['eui', /^eui.[A-Za-z0-9]{16}$/],
  ['naa', /^naa.[A-Za-z0-9]{32}$/],
];

function checkIscsi(source: Place): void {
  const iqn = at(source, 'iqn');
  if (textOf(iqn) === '') addRequired(iqn);
  else checkQualifiedName(iqn);
  checkRange(at(source, 'lun'), 0n, 255n);
  if ((flagAt(source, 'chapAuthDiscovery') || flagAt(source, 'chapAuthSession')) && !hasSet(source, 'secretRef'))
    addRequired(at(source, 'secretRef'));
  const initiator = at(source, 'initiatorName');
  if (isSet(initiator)) checkQualifiedName({ ...initiator, path: `${source.path}.initiatorname` });
}

function checkQualifiedName(place: Place): void {
  const name = textOf(place);
  const form = qualifiedNames.find(([prefix]) => name.startsWith(prefix));
  if (form === undefined) addInvalid(place, 'must be valid format starting with iqn, eui, or naa');
  else if (!form[1].test(name)) addInvalid(place, 'must be valid format');
}

function checkFlocker(source: Place): void {
  const [name, uuid] = [textAt(source, 'datasetName'), textAt(source, 'datasetUUID')];
  if (name === '' && uuid === '') addRequired(source, 'one of datasetName and datasetUUID is required');
  if (name !== '' && uuid !== '') addInvalid(source, 'datasetName and datasetUUID can not be specified simultaneously', 'resource');
  if (name.includes('/')) addInvalid(at(source, 'datasetName'), "must not contain '/'");
}

function checkMonitors(source: Place): void {
  if (lengthOf(at(source, 'monitors')) === 0) addRequired(at(source, 'monitors'));
}

function checkRbd(source: Place): void {
  checkMonitors(source);
  checkRequired(source, 'image');
}

function checkSecretName(source: Place): void {
  if (hasSet(source, 'secretRef')) checkRequired(at(source, 'secretRef'), 'name');
}

function checkQuobyte(source: Place): void {
  const registry = at(source, 'registry');
  const words = 'must be a host:port pair or multiple pairs separated by commas';
  if (textOf(registry) === '') addRequired(registry, words);
  else if (Buffer.byteLength(textAt(source, 'tenant')) >= 65)
    addRequired(at(source, 'tenant'), 'must be a UUID and may not exceed a length of 64 characters');
  else for (const pair of textOf(registry).split(',')) if (!/^(\[[^\]]*\]|[^:[\]]*):[^:[\]]*$/.test(pair)) addInvalid(registry, words);
  checkRequired(source, 'volume');
}

function checkDownwardApi(source: Place): void {
  checkFileMode(at(source, 'defaultMode'));
  for (const file of indexed(at(source, 'items'))) checkDownwardFile({ ...file, path: source.path });
}

const volumeFieldPaths = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];

/** A file of the downward API; its errors name the list. Source: validateDownwardAPIVolumeFile. */
export function checkDownwardFile(file: Place): void {
  checkRequired(file, 'path');
  checkNonReservedPath(at(file, 'path'));
  if (hasSet(file, 'fieldRef')) {
    checkFieldRef(at(file, 'fieldRef'), volumeFieldPaths);
    if (hasSet(file, 'resourceFieldRef')) addInvalid(file, 'fieldRef and resourceFieldRef can not be specified simultaneously', 'resource');
  } else if (hasSet(file, 'resourceFieldRef')) checkResourceFieldRef(at(file, 'resourceFieldRef'), true);
  else addRequired(file, 'one of fieldRef and resourceFieldRef is required');
  checkFileMode(at(file, 'mode'));
}

function checkFibreChannel(source: Place): void {
  const [names, ids] = [at(source, 'targetWWNs'), at(source, 'wwids')];
  if (lengthOf(names) === 0 && lengthOf(ids) === 0) addRequired(names, 'must specify either targetWWNs or wwids, but not both');
  if (lengthOf(names) !== 0 && lengthOf(ids) !== 0) addInvalid(names, 'targetWWNs and wwids can not be specified simultaneously');
  const lun = at(source, 'lun');
  if (lengthOf(names) === 0) return;
  if (!isSet(lun)) addRequired(lun, 'lun is required if targetWWNs is specified');
  else if (numberOf(lun) < 0n || numberOf(lun) > 255n) addInvalid(lun, 'must be between 0 and 255, inclusive');
}

function checkFlexOptions(source: Place): void {
  for (const key of mapOf(at(source, 'options')).keys()) {
    const domain = (key.split('/')[0] ?? '').toLowerCase();
    if (['kubernetes.io', 'k8s.io'].some(name => `.${domain}`.endsWith(`.${name}`)))
      addInvalid({ ...source, path: `${source.path}.options[${key}]` }, 'kubernetes.io and k8s.io namespaces are reserved', key);
  }
}

function checkAzureDisk(source: Place): void {
  const cachingModes = ['None', 'ReadOnly', 'ReadWrite'];
  const kinds = ['Dedicated', 'Managed', 'Shared'];
  const [caching, kind, uri] = [at(source, 'cachingMode'), at(source, 'kind'), at(source, 'diskURI')];
  if (isSet(caching) && !cachingModes.includes(textOf(caching))) addUnsupported(caching, cachingModes);
  if (isSet(kind) && !kinds.includes(textOf(kind))) addUnsupported(kind, kinds);
  const managed = textOf(kind) === 'Managed';
  if (managed && !textOf(uri).startsWith('/subscriptions/'))
    addUnsupported(uri, ['/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}']);
  if (isSet(kind) && !managed && !textOf(uri).startsWith('https://') && !textOf(uri).startsWith('http://'))
    addUnsupported(uri, ['https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd']);
}

function checkStorageOs(source: Place): void {
  const name = at(source, 'volumeName');
  if (textOf(name) === '') addRequired(name);
  else checkName(name, dns1123LabelProblems);
  if (textAt(source, 'volumeNamespace') !== '') checkName(at(source, 'volumeNamespace'), dns1123LabelProblems);
  checkSecretName(source);
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

/** The name of a CSI driver. Source: ValidateCSIDriverName. */
export function checkDriverName(driver: Place): void {
  const name = textOf(driver);
  if (name === '') addRequired(driver);
  if (Buffer.byteLength(name) > 63)
    driver.errors.push({ type: 'FieldValueTooLong', field: driver.path, badValue: undefined, detail: 'may not be more than 63 bytes' });
  addProblems(driver, dns1123SubdomainProblems(name.toLowerCase()), name);
}

function checkEphemeral(source: Place): void {
  const template = at(source, 'volumeClaimTemplate');
  if (!isSet(template)) {
    addRequired(template);
    return;
  }
  const metadata = at(template, 'metadata');
  template.errors.push(...annotationErrors(mapOf(at(metadata, 'annotations')), `${metadata.path}.annotations`));
  checkLabels(at(metadata, 'labels'));
  checkTemplateMeta(metadata);
  checkClaimSpec(at(template, 'spec'));
}
