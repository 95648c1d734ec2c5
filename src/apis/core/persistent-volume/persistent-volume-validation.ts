import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { memberValue } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
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

function checkVolume(volume: FieldPath): void {
  const spec = volume.child('spec');
  checkModes(spec);
  checkCapacity(spec);
  const policy = spec.child('persistentVolumeReclaimPolicy');
  if (policy.text() !== '') checkKnown(policy, ['Delete', 'Recycle', 'Retain']);
  const affinity = spec.child('nodeAffinity');
  if (affinity.isSet()) {
    if (affinity.has('required')) checkNodeSelector(affinity.child('required'));
    else affinity.child('required').required('must specify required node constraints');
  }
  checkSources(spec);
  checkClassesAndMode(spec);
}

const inlineWords = 'in the context of inline volumes';

/** Validates the inline volume of a VolumeAttachment. Source: core/validation ValidatePersistentVolumeSpec. */
export function checkInlineVolume(spec: FieldPath): void {
  const [claim, capacity, policy] = ['claimRef', 'capacity', 'persistentVolumeReclaimPolicy'].map(name => spec.child(name)) as [
    FieldPath,
    FieldPath,
    FieldPath,
  ];
  if (claim.isSet()) claim.forbidden(`may not be specified ${inlineWords}`);
  if (capacity.length() > 0) capacity.forbidden(`may not be specified ${inlineWords}`);
  if (!spec.has('csi')) spec.child('csi').required(`has to be specified ${inlineWords}`);
  checkModes(spec);
  if (!['', 'Retain'].includes(policy.text())) policy.forbidden(`may only be Retain ${inlineWords}`);
  if (spec.has('nodeAffinity')) spec.child('nodeAffinity').forbidden(`may not be specified ${inlineWords}`);
  checkSources(spec);
  if (spec.text('storageClassName') !== '') spec.child('storageClassName').forbidden(`may not be specified ${inlineWords}`);
  const mode = spec.child('volumeMode');
  if (mode.isSet() && mode.text() !== 'Filesystem') mode.forbidden(`may not specify volumeMode other than Filesystem ${inlineWords}`);
}

function checkModes(spec: FieldPath): void {
  const modes = spec.child('accessModes');
  if (modes.length() === 0) modes.required();
  checkAccessModes(modes);
}

function checkCapacity(spec: FieldPath): void {
  const capacity = spec.child('capacity');
  const type = { type: 'core/v1.PersistentVolumeSpec', name: 'capacity' };
  if (capacity.length() === 0) capacity.required();
  if (capacity.length() !== 1 || !capacity.members().has('storage'))
    capacity.notSupported(memberValue(spec.server, capacity.value, type), ['storage']);
  for (const [, amount] of spec.entries('capacity')) {
    checkBasicAmount(amount);
    if (quantitySign(amount.text()) <= 0) amount.invalid('must be greater than zero');
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

function checkSources(spec: FieldPath): void {
  let count = 0;
  for (const [name, shown = name, surplus = name] of sources) {
    const source = spec.child(name);
    if (!source.isSet()) continue;
    count += 1;
    if (count > 1 && name !== 'flexVolume') spec.child(surplus).forbidden('may not specify more than 1 volume type');
    else checkSource(source.shownAt(`${spec.path}.${shown}`), name, spec);
  }
  if (count === 0) spec.required('must specify a volume type');
  const policy = spec.child('persistentVolumeReclaimPolicy');
  if (isRoot(spec) && policy.text() === 'Recycle') policy.forbidden("may not be 'recycle' for a hostPath mount of '/'");
}

function checkSource(source: FieldPath, name: string, spec: FieldPath): void {
  if (name === 'csi') checkCsi(source);
  else if (name === 'local') {
    checkRequired(source, 'path');
    checkNoBacksteps(source.child('path'));
    if (!spec.child('nodeAffinity').isSet()) spec.child('nodeAffinity').required('Local volume requires node affinity');
  } else if (name === 'iscsi') checkPersistentIscsi(source);
  else checkVolumeSource(source, name, true);
  if ((name === 'cinder' || name === 'storageos') && source.has('secretRef')) checkRequired(source.child('secretRef'), 'namespace');
  const [endpoints, secret] = [source.child('endpointsNamespace'), source.child('secretNamespace')];
  if (name === 'glusterfs' && endpoints.isSet()) {
    if (endpoints.text() === '') endpoints.invalid('if the endpointnamespace is set, it must be a valid namespace name');
    else checkName(endpoints, dns1123LabelProblems);
  }
  if (name === 'azureFile' && secret.isSet()) checkRequired(source, 'secretNamespace');
}

function checkCsi(source: FieldPath): void {
  checkDriverName(source.child('driver'));
  checkRequired(source, 'volumeHandle');
  for (const name of ['controllerPublishSecretRef', 'controllerExpandSecretRef', 'nodePublishSecretRef', 'nodeExpandSecretRef']) {
    const secret = source.child(name);
    if (!secret.isSet()) continue;
    for (const [member, rule] of [
      ['name', dns1123SubdomainProblems],
      ['namespace', dns1123LabelProblems],
    ] as const)
      if (secret.text(member) === '') secret.child(member).required();
      else checkName(secret.child(member), rule);
  }
}

/** Reports whether the host path resolves to the root. */
function isRoot(spec: FieldPath): boolean {
  const path = spec.text('hostPath', 'path');
  return path.startsWith('/') && new URL(`file://${encodeURI(path)}`).pathname.replace(/\/+/g, '/') === '/';
}

function checkClassesAndMode(spec: FieldPath): void {
  const [storageClass, mode] = [spec.child('storageClassName'), spec.child('volumeMode')];
  if (storageClass.text() !== '') checkName(storageClass, dns1123SubdomainProblems);
  if (mode.isSet()) checkKnown(mode, volumeModes);
  const attributesClass = spec.child('volumeAttributesClassName');
  if (!attributesClass.isSet()) return;
  if (attributesClass.text() === '') attributesClass.required('an empty string is disallowed');
  else checkName(attributesClass, dns1123SubdomainProblems);
  if (!spec.has('csi')) spec.child('csi').required('has to be specified when using volumeAttributesClassName');
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
function volumeWarnings(volume: FieldPath): string[] {
  const spec = volume.child('spec');
  const policy = spec.child('persistentVolumeReclaimPolicy');
  const terms = spec.items('nodeAffinity', 'required', 'nodeSelectorTerms');
  const detail = 'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
  return [
    ...Object.entries(annotations).flatMap(([key, message]) => {
      const field = volume.child('metadata', 'annotations').key(key);
      return field.isSet() ? [`${field.path}: ${message}`] : [];
    }),
    ...(policy.text() === 'Recycle' ? [`${policy.path}: ${detail}`] : []),
    ...terms.flatMap(term => term.items('matchExpressions').flatMap(expression => labelWarning(expression.child('key')))),
    ...retired.flatMap(([kind, message, shown = kind]) => (spec.has(kind) ? [`spec.${shown}: ${message}`] : [])),
  ];
}
