import {
  addDuplicate,
  addForbidden,
  addInvalid,
  addRequired,
  at,
  hasSet,
  indexed,
  type Place,
  shownAt,
  textAt,
  textOf,
} from '../../../../apiserver/registry/validation/place.js';
import { checkName } from '../../../../apiserver/registry/validation/rules.js';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '../../../../kubernetes/name-rules.js';
import { quantitySign } from '../../../../kubernetes/quantity.js';
import type { PodContext } from './pod-context.js';
import { checkVolumeSource } from './volume-sources.js';

/** Validates the volumes and returns the valid ones by name: only those can be mounted. Source: ValidateVolumes. */
export function checkVolumes(volumes: Place, context: Pick<PodContext, 'podName' | 'isPod'>): ReadonlyMap<string, Place> {
  const { podName } = context;
  const items = indexed(volumes);
  const created = new Set(podName === '' ? [] : items.filter(v => hasSet(v, 'ephemeral')).map(v => `${podName}-${textAt(v, 'name')}`));
  const fine = new Map<string, Place>();
  for (const volume of items) {
    const own: Place = { ...volume, errors: [] };
    checkSources(own, context);
    const name = at(own, 'name');
    if (textOf(name) === '') addRequired(name);
    else checkName(name, dns1123LabelProblems);
    if (fine.has(textOf(name))) addDuplicate(name);
    if (own.errors.length === 0) fine.set(textOf(name), volume);
    volumes.errors.push(...own.errors);
    const claim = at(volume, 'persistentVolumeClaim', 'claimName');
    if (hasSet(volume, 'persistentVolumeClaim') && created.has(textOf(claim)))
      addInvalid(claim, 'must not reference a PVC that gets created for an ephemeral volume');
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

function checkSources(volume: Place, context: Pick<PodContext, 'podName' | 'isPod'>): void {
  const limit = at(volume, 'emptyDir', 'sizeLimit');
  if (textOf(limit) !== '' && quantitySign(textOf(limit)) < 0) addForbidden(limit, 'SizeLimit field must be a valid resource quantity');
  if (hasSet(volume, 'emptyDir')) checkVolumeSource(at(volume, 'emptyDir'), 'emptyDir', true);
  let count = hasSet(volume, 'emptyDir') ? 1 : 0;
  for (const [kind, shown = kind] of sources) {
    if (!hasSet(volume, kind)) continue;
    if (count > 0) addForbidden(shownAt(volume, `${volume.path}.${shown}`), 'may not specify more than 1 volume type');
    else
      checkVolumeSource(
        shownAt(at(volume, kind), `${volume.path}.${kind === 'gcePersistentDisk' ? 'persistentDisk' : kind}`),
        kind,
        context.isPod,
      );
    if (kind === 'iscsi') checkPortalLength(volume);
    if (kind === 'ephemeral' && count === 0) checkClaimName(volume, context.podName);
    count = 1;
  }
  if (count === 0) addRequired(volume, 'must specify a volume type');
}

function checkPortalLength(volume: Place): void {
  const name = at(volume, 'name');
  const length = Buffer.byteLength(`${textOf(name)}:${textAt(volume, 'iscsi', 'targetPortal')}`);
  if (hasSet(at(volume, 'iscsi'), 'initiatorName') && length > 64)
    addInvalid(name, 'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.');
}

function checkClaimName(volume: Place, podName: string): void {
  const name = at(volume, 'name');
  if (podName === '' || textOf(name) === '') return;
  const claim = `${podName}-${textOf(name)}`;
  for (const problem of dns1123SubdomainProblems(claim)) addInvalid(name, `PVC name "${claim}": ${problem}`);
}
