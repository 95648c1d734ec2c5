import { memberValue } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import {
  addForbidden,
  addInvalid,
  addRequired,
  addUnsupported,
  at,
  entriesAt,
  entryAt,
  hasSet,
  isSet,
  itemsAt,
  lengthOf,
  mapOf,
  type Place,
  shownAt,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkKnown, checkName, checkNoBacksteps, checkRequired } from '../../../apiserver/registry/validation/rules.js';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';
import { quantitySign } from '../../../kubernetes/quantity.js';
import { checkNodeSelector } from '../pod/validation/affinity.js';
import { checkAccessModes, volumeModes } from '../pod/validation/claim-spec.js';
import { checkBasicAmount } from '../pod/validation/container-resources.js';
import { checkPersistentIscsi } from '../pod/validation/network-volumes.js';
import { labelWarning } from '../pod/validation/node-labels.js';
import { checkDriverName, checkVolumeSource } from '../pod/validation/volume-sources.js';
import { checkMountOptions, checkVolumeChange } from './volume-change.js';

/** Source: core/validation ValidatePersistentVolume. */
export const persistentVolumeRules: KindRules = {
  create: volume => {
    checkVolume(volume);
    checkMountOptions(volume);
  },
  update: ['metadata', checkVolume, checkMountOptions, 'metadata', checkVolume, checkVolumeChange],
  warnings: volumeWarnings,
};

function checkVolume(volume: Place): void {
  const spec = at(volume, 'spec');
  checkModes(spec);
  checkCapacity(spec);
  const policy = at(spec, 'persistentVolumeReclaimPolicy');
  if (textOf(policy) !== '') checkKnown(policy, ['Delete', 'Recycle', 'Retain']);
  const affinity = at(spec, 'nodeAffinity');
  if (isSet(affinity)) {
    if (hasSet(affinity, 'required')) checkNodeSelector(at(affinity, 'required'));
    else addRequired(at(affinity, 'required'), 'must specify required node constraints');
  }
  checkSources(spec);
  checkClassesAndMode(spec);
}

const inlineWords = 'in the context of inline volumes';

/** Validates the inline volume of a VolumeAttachment. Source: core/validation ValidatePersistentVolumeSpec. */
export function checkInlineVolume(spec: Place): void {
  const [claim, capacity, policy] = ['claimRef', 'capacity', 'persistentVolumeReclaimPolicy'].map(name => at(spec, name)) as [
    Place,
    Place,
    Place,
  ];
  if (isSet(claim)) addForbidden(claim, `may not be specified ${inlineWords}`);
  if (lengthOf(capacity) > 0) addForbidden(capacity, `may not be specified ${inlineWords}`);
  if (!hasSet(spec, 'csi')) addRequired(at(spec, 'csi'), `has to be specified ${inlineWords}`);
  checkModes(spec);
  if (!['', 'Retain'].includes(textOf(policy))) addForbidden(policy, `may only be Retain ${inlineWords}`);
  if (hasSet(spec, 'nodeAffinity')) addForbidden(at(spec, 'nodeAffinity'), `may not be specified ${inlineWords}`);
  checkSources(spec);
  if (textAt(spec, 'storageClassName') !== '') addForbidden(at(spec, 'storageClassName'), `may not be specified ${inlineWords}`);
  const mode = at(spec, 'volumeMode');
  if (isSet(mode) && textOf(mode) !== 'Filesystem') addForbidden(mode, `may not specify volumeMode other than Filesystem ${inlineWords}`);
}

function checkModes(spec: Place): void {
  const modes = at(spec, 'accessModes');
  if (lengthOf(modes) === 0) addRequired(modes);
  checkAccessModes(modes);
}

function checkCapacity(spec: Place): void {
  const capacity = at(spec, 'capacity');
  const type = { type: 'core/v1.PersistentVolumeSpec', name: 'capacity' };
  if (lengthOf(capacity) === 0) addRequired(capacity);
  if (lengthOf(capacity) !== 1 || !mapOf(capacity).has('storage'))
    addUnsupported(capacity, ['storage'], memberValue(spec.server, capacity.value, type));
  for (const [, amount] of entriesAt(spec, 'capacity')) {
    checkBasicAmount(amount);
    if (quantitySign(textOf(amount)) <= 0) addInvalid(amount, 'must be greater than zero');
  }
}

/** Sources in the order of the checks: the first one is used. Some have other names in errors, or when there are too many. */
const sources: readonly (readonly [name: string, shown?: string, surplus?: string])[] = [
  ['hostPath'],
  ['gcePersistentDisk', 'persistentDisk'],
  ['awsElasticBlockStore'],
  ['glusterfs'],
  ['flocker'],
  ['nfs'],
  ['rbd'],
  ['quobyte'],
  ['cephfs', 'cephfs', 'cephFS'],
  ['iscsi'],
  ['cinder'],
  ['fc'],
  ['flexVolume'],
  ['azureFile'],
  ['vsphereVolume'],
  ['photonPersistentDisk'],
  ['portworxVolume'],
  ['azureDisk'],
  ['scaleIO'],
  ['local'],
  ['storageos'],
  ['csi'],
];

function checkSources(spec: Place): void {
  let count = 0;
  for (const [name, shown = name, surplus = name] of sources) {
    const source = at(spec, name);
    if (!isSet(source)) continue;
    count += 1;
    if (count > 1 && name !== 'flexVolume')
      addForbidden(shownAt(source, `${spec.path}.${surplus}`), 'may not specify more than 1 volume type');
    else checkSource(shownAt(source, `${spec.path}.${shown}`), name, spec);
  }
  if (count === 0) addRequired(spec, 'must specify a volume type');
  const policy = at(spec, 'persistentVolumeReclaimPolicy');
  if (isRoot(spec) && textOf(policy) === 'Recycle') addForbidden(policy, "may not be 'recycle' for a hostPath mount of '/'");
}

function checkSource(source: Place, name: string, spec: Place): void {
  if (name === 'csi') checkCsi(source);
  else if (name === 'local') {
    checkRequired(source, 'path');
    checkNoBacksteps(at(source, 'path'));
    if (!isSet(at(spec, 'nodeAffinity'))) addRequired(at(spec, 'nodeAffinity'), 'Local volume requires node affinity');
  } else if (name === 'iscsi') checkPersistentIscsi(source);
  else checkVolumeSource(source, name, true);
  if ((name === 'cinder' || name === 'storageos') && hasSet(source, 'secretRef')) checkRequired(at(source, 'secretRef'), 'namespace');
  const [endpoints, secret] = [at(source, 'endpointsNamespace'), at(source, 'secretNamespace')];
  if (name === 'glusterfs' && isSet(endpoints)) {
    if (textOf(endpoints) === '') addInvalid(endpoints, 'if the endpointnamespace is set, it must be a valid namespace name');
    else checkName(endpoints, dns1123LabelProblems);
  }
  if (name === 'azureFile' && isSet(secret)) checkRequired(source, 'secretNamespace');
}

function checkCsi(source: Place): void {
  checkDriverName(at(source, 'driver'));
  checkRequired(source, 'volumeHandle');
  for (const name of ['controllerPublishSecretRef', 'controllerExpandSecretRef', 'nodePublishSecretRef', 'nodeExpandSecretRef']) {
    const secret = at(source, name);
    if (!isSet(secret)) continue;
    for (const [member, rule] of [
      ['name', dns1123SubdomainProblems],
      ['namespace', dns1123LabelProblems],
    ] as const)
      if (textAt(secret, member) === '') addRequired(at(secret, member));
      else checkName(at(secret, member), rule);
  }
}

/** Reports whether the host path resolves to the root. */
function isRoot(spec: Place): boolean {
  const path = textAt(spec, 'hostPath', 'path');
  return path.startsWith('/') && new URL(`file://${encodeURI(path)}`).pathname.replace(/\/+/g, '/') === '/';
}

function checkClassesAndMode(spec: Place): void {
  const [storageClass, mode] = [at(spec, 'storageClassName'), at(spec, 'volumeMode')];
  if (textOf(storageClass) !== '') checkName(storageClass, dns1123SubdomainProblems);
  if (isSet(mode)) checkKnown(mode, volumeModes);
  const attributesClass = at(spec, 'volumeAttributesClassName');
  if (!isSet(attributesClass)) return;
  if (textOf(attributesClass) === '') addRequired(attributesClass, 'an empty string is disallowed');
  else checkName(attributesClass, dns1123SubdomainProblems);
  if (!hasSet(spec, 'csi')) addRequired(at(spec, 'csi'), 'has to be specified when using volumeAttributesClassName');
}

/** Sources that no longer work, in the order of their warnings. */
const retired: readonly (readonly [string, string, string?])[] = [
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+', 'storageOS'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

const annotations: Readonly<Record<string, string>> = {
  'volume.beta.kubernetes.io/storage-class': 'deprecated since v1.8; use "storageClassName" attribute instead',
  'volume.beta.kubernetes.io/mount-options': 'deprecated since v1.31; use "mountOptions" attribute instead',
};

/** Returns warnings about a PersistentVolume. Source: pkg/api/persistentvolume GetWarningsForPersistentVolume. */
function volumeWarnings(volume: Place): string[] {
  const spec = at(volume, 'spec');
  const policy = at(spec, 'persistentVolumeReclaimPolicy');
  const terms = itemsAt(spec, 'nodeAffinity', 'required', 'nodeSelectorTerms');
  const detail = 'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
  return [
    ...Object.entries(annotations).flatMap(([key, message]) => {
      const place = entryAt(at(volume, 'metadata', 'annotations'), key);
      return isSet(place) ? [`${place.path}: ${message}`] : [];
    }),
    ...(textOf(policy) === 'Recycle' ? [`${policy.path}: ${detail}`] : []),
    ...terms.flatMap(term => itemsAt(term, 'matchExpressions').flatMap(expression => labelWarning(at(expression, 'key')))),
    ...retired.flatMap(([kind, message, shown = kind]) => (hasSet(spec, kind) ? [`spec.${shown}: ${message}`] : [])),
  ];
}
