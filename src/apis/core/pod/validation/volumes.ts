import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { checkName } from '../../../../apiserver/registry/validation/rules.js';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '../../../../kubernetes/name-rules.js';
import { quantitySign } from '../../../../kubernetes/quantity.js';
import type { PodContext } from './pod-context.js';
import { checkVolumeSource } from './volume-sources.js';

/** Validates the volumes and returns the valid ones by name: only those can be mounted. Source: ValidateVolumes. */
export function checkVolumes(volumes: FieldPath, context: Pick<PodContext, 'podName' | 'isPod'>): ReadonlyMap<string, FieldPath> {
  const { podName } = context;
  const items = volumes.items();
  const created = new Set(podName === '' ? [] : items.filter(v => v.has('ephemeral')).map(v => `${podName}-${v.text('name')}`));
  const fine = new Map<string, FieldPath>();
  for (const volume of items) {
    const own = volume.withOwnErrors();
    checkSources(own, context);
    const name = own.child('name');
    if (name.text() === '') name.required();
    else checkName(name, dns1123LabelProblems);
    if (fine.has(name.text())) name.duplicate();
    if (own.errors.length === 0) fine.set(name.text(), volume);
    volumes.errors.push(...own.errors);
    const claim = volume.child('persistentVolumeClaim', 'claimName');
    if (volume.has('persistentVolumeClaim') && created.has(claim.text()))
      claim.invalid('must not reference a PVC that gets created for an ephemeral volume');
  }
  return fine;
}

/** Sources in the order of the checks, with their name in errors where it differs. */
const sources: readonly (readonly [string, string?])[] = [
  ['hostPath'],
  ['gitRepo'],
  ['gcePersistentDisk'],
  ['awsElasticBlockStore'],
  ['secret'],
  ['nfs'],
  ['iscsi'],
  ['glusterfs'],
  ['flocker'],
  ['persistentVolumeClaim'],
  ['rbd'],
  ['cinder'],
  ['cephfs', 'cephFS'],
  ['quobyte'],
  ['downwardAPI', 'downwarAPI'],
  ['fc'],
  ['flexVolume'],
  ['configMap'],
  ['azureFile'],
  ['vsphereVolume'],
  ['photonPersistentDisk'],
  ['portworxVolume'],
  ['azureDisk'],
  ['storageos'],
  ['projected'],
  ['scaleIO'],
  ['csi'],
  ['ephemeral'],
  ['image'],
];

function checkSources(volume: FieldPath, context: Pick<PodContext, 'podName' | 'isPod'>): void {
  const limit = volume.child('emptyDir', 'sizeLimit');
  if (limit.text() !== '' && quantitySign(limit.text()) < 0) limit.forbidden('SizeLimit field must be a valid resource quantity');
  if (volume.has('emptyDir')) checkVolumeSource(volume.child('emptyDir'), 'emptyDir', true);
  let count = volume.has('emptyDir') ? 1 : 0;
  for (const [kind, shown = kind] of sources) {
    if (!volume.has(kind)) continue;
    if (count > 0) volume.child(shown).forbidden('may not specify more than 1 volume type');
    else
      checkVolumeSource(
        volume.child(kind).shownAt(`${volume.path}.${kind === 'gcePersistentDisk' ? 'persistentDisk' : kind}`),
        kind,
        context.isPod,
      );
    if (kind === 'iscsi') checkPortalLength(volume);
    if (kind === 'ephemeral' && count === 0) checkClaimName(volume, context.podName);
    count = 1;
  }
  if (count === 0) volume.required('must specify a volume type');
}

function checkPortalLength(volume: FieldPath): void {
  const name = volume.child('name');
  const length = Buffer.byteLength(`${name.text()}:${volume.text('iscsi', 'targetPortal')}`);
  if (volume.child('iscsi').has('initiatorName') && length > 64)
    name.invalid('Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.');
}

function checkClaimName(volume: FieldPath, podName: string): void {
  const name = volume.child('name');
  if (podName === '' || name.text() === '') return;
  const claim = `${podName}-${name.text()}`;
  for (const problem of dns1123SubdomainProblems(claim)) name.invalid(`PVC name "${claim}": ${problem}`);
}
