import { at, entryAt, hasSet, isSet, itemsAt, type Place, textOf } from '../../../apiserver/registry/validation/place.js';
import { labelWarning } from '../pod/validation/node-labels.js';

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
export function volumeWarnings(volume: Place): string[] {
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
