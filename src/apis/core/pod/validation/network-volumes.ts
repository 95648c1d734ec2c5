import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { checkName, checkRange, checkRequired } from '../../../../apiserver/registry/validation/rules.js';
import { dns1123LabelProblems } from '../../../../kubernetes/name-rules.js';

const qualifiedNames: readonly (readonly [string, RegExp])[] = [
  ['iqn', /^iqn\.\d{4}-\d{2}\.([A-Za-z0-9-_.]+)(:[^,;*&$|\s]+)$/],
  ['eui', /^eui.[A-Za-z0-9]{16}$/],
  ['naa', /^naa.[A-Za-z0-9]{32}$/],
];

/** Validates the iSCSI source of a PersistentVolume, whose errors are shorter. Source: validateISCSIPersistentVolumeSource. */
export function checkPersistentIscsi(source: FieldPath): void {
  checkRequired(source, 'targetPortal');
  checkIscsi(source, 'must be valid format');
}

export function checkIscsi(source: FieldPath, unknown = 'must be valid format starting with iqn, eui, or naa'): void {
  const iqn = source.child('iqn');
  if (iqn.text() === '') iqn.required();
  else checkQualifiedName(iqn, unknown);
  checkRange(source.child('lun'), 0n, 255n);
  if ((source.flag('chapAuthDiscovery') || source.flag('chapAuthSession')) && !source.has('secretRef'))
    source.child('secretRef').required();
  const initiator = source.child('initiatorName');
  if (initiator.isSet()) checkQualifiedName(initiator.shownAt(`${source.path}.initiatorname`), unknown);
}

function checkQualifiedName(field: FieldPath, unknown: string): void {
  const name = field.text();
  const form = qualifiedNames.find(([prefix]) => name.startsWith(prefix));
  if (form === undefined) field.invalid(unknown);
  else if (!form[1].test(name)) field.invalid('must be valid format');
}

export function checkFlocker(source: FieldPath): void {
  const [name, uuid] = [source.text('datasetName'), source.text('datasetUUID')];
  if (name === '' && uuid === '') source.required('one of datasetName and datasetUUID is required');
  if (name !== '' && uuid !== '') source.invalid('resource', 'datasetName and datasetUUID can not be specified simultaneously');
  if (name.includes('/')) source.child('datasetName').invalid("must not contain '/'");
}

export function checkMonitors(source: FieldPath): void {
  if (source.child('monitors').length() === 0) source.child('monitors').required();
}

export function checkRbd(source: FieldPath): void {
  checkMonitors(source);
  checkRequired(source, 'image');
}

export function checkSecretName(source: FieldPath): void {
  if (source.has('secretRef')) checkRequired(source.child('secretRef'), 'name');
}

export function checkQuobyte(source: FieldPath): void {
  const registry = source.child('registry');
  const message = 'must be a host:port pair or multiple pairs separated by commas';
  if (registry.text() === '') registry.required(message);
  else if (Buffer.byteLength(source.text('tenant')) >= 65)
    source.child('tenant').required('must be a UUID and may not exceed a length of 64 characters');
  else for (const pair of registry.text().split(',')) if (!/^(\[[^\]]*\]|[^:[\]]*):[^:[\]]*$/.test(pair)) registry.invalid(message);
  checkRequired(source, 'volume');
}

export function checkFibreChannel(source: FieldPath): void {
  const [names, ids] = [source.child('targetWWNs'), source.child('wwids')];
  if (names.length() === 0 && ids.length() === 0) names.required('must specify either targetWWNs or wwids, but not both');
  if (names.length() !== 0 && ids.length() !== 0) names.invalid('targetWWNs and wwids can not be specified simultaneously');
  const lun = source.child('lun');
  if (names.length() === 0) return;
  if (!lun.isSet()) lun.required('lun is required if targetWWNs is specified');
  else if (lun.number() < 0n || lun.number() > 255n) lun.invalid('must be between 0 and 255, inclusive');
}

export function checkFlexOptions(source: FieldPath): void {
  for (const key of source.child('options').members().keys()) {
    const domain = (key.split('/')[0] ?? '').toLowerCase();
    if (['kubernetes.io', 'k8s.io'].some(name => `.${domain}`.endsWith(`.${name}`)))
      source.child('options').key(key).invalid(key, 'kubernetes.io and k8s.io namespaces are reserved');
  }
}

export function checkAzureDisk(source: FieldPath): void {
  const cachingModes = ['None', 'ReadOnly', 'ReadWrite'];
  const kinds = ['Dedicated', 'Managed', 'Shared'];
  const [caching, kind, uri] = [source.child('cachingMode'), source.child('kind'), source.child('diskURI')];
  if (caching.isSet() && !cachingModes.includes(caching.text())) caching.notSupported(cachingModes);
  if (kind.isSet() && !kinds.includes(kind.text())) kind.notSupported(kinds);
  const managed = kind.text() === 'Managed';
  if (managed && !uri.text().startsWith('/subscriptions/'))
    uri.notSupportedText(['/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}']);
  if (kind.isSet() && !managed && !uri.text().startsWith('https://') && !uri.text().startsWith('http://'))
    uri.notSupportedText(['https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd']);
}

export function checkStorageOs(source: FieldPath): void {
  const name = source.child('volumeName');
  if (name.text() === '') name.required();
  else checkName(name, dns1123LabelProblems);
  if (source.text('volumeNamespace') !== '') checkName(source.child('volumeNamespace'), dns1123LabelProblems);
  checkSecretName(source);
}
