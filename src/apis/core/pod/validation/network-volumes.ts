import {
  addInvalid,
  addRequired,
  addUnsupported,
  addUnsupportedText,
  at,
  flagAt,
  hasSet,
  isSet,
  lengthOf,
  mapOf,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../../../../apiserver/registry/validation/place.js';
import { checkName, checkRange, checkRequired } from '../../../../apiserver/registry/validation/rules.js';
import { dns1123LabelProblems } from '../../../../kubernetes/name-rules.js';

const qualifiedNames: readonly (readonly [string, RegExp])[] = [
  ['iqn', /^iqn\.\d{4}-\d{2}\.([A-Za-z0-9-_.]+)(:[^,;*&$|\s]+)$/],
  ['eui', /^eui.[A-Za-z0-9]{16}$/],
  ['naa', /^naa.[A-Za-z0-9]{32}$/],
];

/** Validates the iSCSI source of a PersistentVolume, whose errors are shorter. Source: validateISCSIPersistentVolumeSource. */
export function checkPersistentIscsi(source: Place): void {
  checkRequired(source, 'targetPortal');
  checkIscsi(source, 'must be valid format');
}

export function checkIscsi(source: Place, unknown = 'must be valid format starting with iqn, eui, or naa'): void {
  const iqn = at(source, 'iqn');
  if (textOf(iqn) === '') addRequired(iqn);
  else checkQualifiedName(iqn, unknown);
  checkRange(at(source, 'lun'), 0n, 255n);
  if ((flagAt(source, 'chapAuthDiscovery') || flagAt(source, 'chapAuthSession')) && !hasSet(source, 'secretRef'))
    addRequired(at(source, 'secretRef'));
  const initiator = at(source, 'initiatorName');
  if (isSet(initiator)) checkQualifiedName({ ...initiator, path: `${source.path}.initiatorname` }, unknown);
}

function checkQualifiedName(place: Place, unknown: string): void {
  const name = textOf(place);
  const form = qualifiedNames.find(([prefix]) => name.startsWith(prefix));
  if (form === undefined) addInvalid(place, unknown);
  else if (!form[1].test(name)) addInvalid(place, 'must be valid format');
}

export function checkFlocker(source: Place): void {
  const [name, uuid] = [textAt(source, 'datasetName'), textAt(source, 'datasetUUID')];
  if (name === '' && uuid === '') addRequired(source, 'one of datasetName and datasetUUID is required');
  if (name !== '' && uuid !== '') addInvalid(source, 'datasetName and datasetUUID can not be specified simultaneously', 'resource');
  if (name.includes('/')) addInvalid(at(source, 'datasetName'), "must not contain '/'");
}

export function checkMonitors(source: Place): void {
  if (lengthOf(at(source, 'monitors')) === 0) addRequired(at(source, 'monitors'));
}

export function checkRbd(source: Place): void {
  checkMonitors(source);
  checkRequired(source, 'image');
}

export function checkSecretName(source: Place): void {
  if (hasSet(source, 'secretRef')) checkRequired(at(source, 'secretRef'), 'name');
}

export function checkQuobyte(source: Place): void {
  const registry = at(source, 'registry');
  const message = 'must be a host:port pair or multiple pairs separated by commas';
  if (textOf(registry) === '') addRequired(registry, message);
  else if (Buffer.byteLength(textAt(source, 'tenant')) >= 65)
    addRequired(at(source, 'tenant'), 'must be a UUID and may not exceed a length of 64 characters');
  else for (const pair of textOf(registry).split(',')) if (!/^(\[[^\]]*\]|[^:[\]]*):[^:[\]]*$/.test(pair)) addInvalid(registry, message);
  checkRequired(source, 'volume');
}

export function checkFibreChannel(source: Place): void {
  const [names, ids] = [at(source, 'targetWWNs'), at(source, 'wwids')];
  if (lengthOf(names) === 0 && lengthOf(ids) === 0) addRequired(names, 'must specify either targetWWNs or wwids, but not both');
  if (lengthOf(names) !== 0 && lengthOf(ids) !== 0) addInvalid(names, 'targetWWNs and wwids can not be specified simultaneously');
  const lun = at(source, 'lun');
  if (lengthOf(names) === 0) return;
  if (!isSet(lun)) addRequired(lun, 'lun is required if targetWWNs is specified');
  else if (numberOf(lun) < 0n || numberOf(lun) > 255n) addInvalid(lun, 'must be between 0 and 255, inclusive');
}

export function checkFlexOptions(source: Place): void {
  for (const key of mapOf(at(source, 'options')).keys()) {
    const domain = (key.split('/')[0] ?? '').toLowerCase();
    if (['kubernetes.io', 'k8s.io'].some(name => `.${domain}`.endsWith(`.${name}`)))
      addInvalid({ ...source, path: `${source.path}.options[${key}]` }, 'kubernetes.io and k8s.io namespaces are reserved', key);
  }
}

export function checkAzureDisk(source: Place): void {
  const cachingModes = ['None', 'ReadOnly', 'ReadWrite'];
  const kinds = ['Dedicated', 'Managed', 'Shared'];
  const [caching, kind, uri] = [at(source, 'cachingMode'), at(source, 'kind'), at(source, 'diskURI')];
  if (isSet(caching) && !cachingModes.includes(textOf(caching))) addUnsupported(caching, cachingModes);
  if (isSet(kind) && !kinds.includes(textOf(kind))) addUnsupported(kind, kinds);
  const managed = textOf(kind) === 'Managed';
  if (managed && !textOf(uri).startsWith('/subscriptions/'))
    addUnsupportedText(uri, ['/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}']);
  if (isSet(kind) && !managed && !textOf(uri).startsWith('https://') && !textOf(uri).startsWith('http://'))
    addUnsupportedText(uri, ['https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd']);
}

export function checkStorageOs(source: Place): void {
  const name = at(source, 'volumeName');
  if (textOf(name) === '') addRequired(name);
  else checkName(name, dns1123LabelProblems);
  if (textAt(source, 'volumeNamespace') !== '') checkName(at(source, 'volumeNamespace'), dns1123LabelProblems);
  checkSecretName(source);
}
