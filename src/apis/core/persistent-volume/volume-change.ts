import { semanticallyEqualAs } from '../../../apiserver/objects/semantic-equality.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { indentedInternal, internalValue } from '../../../apiserver/registry/validation/go-value.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import { unifiedDiff } from '../../../apiserver/registry/validation/unified-diff.js';
import { ownMember } from '../../../go/own-members.js';
import { copyOf, isMap, listAt, stringAt, type Value, type ValueMap } from '../../../go/value.js';
import { structNamed } from '../../../kubernetes/type-table.js';

const sourceType = 'core/v1.PersistentVolumeSource';
const affinityType = 'core/v1.VolumeNodeAffinity';

/** Validates volume changes: source and location are immutable. Source: core/validation ValidatePersistentVolumeUpdate. */
export function checkVolumeChange(volume: FieldPath, old: FieldPath): void {
  const [spec, before] = [volume.child('spec'), old.child('spec')];
  const [source, stored] = [sourceOf(spec, before), sourceOf(before, before)];
  if (!semanticallyEqualAs(structNamed(volume.server, sourceType), source, stored)) {
    const diff = unifiedDiff(indentedInternal(volume.server, sourceType, stored), indentedInternal(volume.server, sourceType, source));
    spec.shownAt('spec.persistentvolumesource').forbidden(`spec.persistentvolumesource is immutable after creation\n${diff}`);
  }
  // The paths omit the spec.
  checkImmutable(spec.shownAt(''), before, { type: 'core/v1.PersistentVolumeSpec', name: 'volumeMode' });
  checkAffinity(spec.child('nodeAffinity').shownAt('nodeAffinity'), before.child('nodeAffinity'));
  const attributesClass = spec.child('volumeAttributesClassName');
  if (!attributesClass.isSet() && before.has('volumeAttributesClassName'))
    attributesClass.forbidden('update from non-nil value to nil is forbidden');
}

/** Returns only the fields of the source; the secret for CSI volume expansion may be set later. */
function sourceOf(spec: FieldPath, before: FieldPath): ValueMap {
  const { fieldsByName } = structNamed(spec.server, sourceType);
  const source: ValueMap = new Map([...spec.members()].filter(([key]) => fieldsByName.has(key)));
  const csi = spec.child('csi');
  if (before.child('csi').isSet() && !before.child('csi').has('controllerExpandSecretRef') && csi.isSet())
    source.set('csi', new Map([...csi.members()].filter(([key]) => key !== 'controllerExpandSecretRef')));
  return source;
}

/** New names of node labels: an old one may be replaced by its new name. */
const renamed: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
};

function checkAffinity(now: FieldPath, before: FieldPath): void {
  if (!before.isSet()) return;
  const schema = structNamed(now.server, affinityType);
  if (now.isSet() && semanticallyEqualAs(schema, now.members(), withAllowedKeys(before.members(), now.members()))) return;
  const shown = now.isSet() ? internalValue(now.server, affinityType, now.value) : null;
  now.invalid(shown, 'field is immutable, except for updating from beta label to GA');
}

/**
 * Returns the old affinity with the new keys where they may replace the old ones: by the new name of a label, and by an empty key where a
 * label has no new name, because that is what Go's map returns. Source: getMaskNodeSelectorLabelChangeEqualities.
 */
function withAllowedKeys(before: ValueMap, now: ValueMap): ValueMap {
  const allowed = copyOf(before);
  const given = requirementsOf(now);
  for (const [i, requirement] of requirementsOf(allowed).entries()) {
    const key = stringAt(given[i], 'key');
    if (isMap(requirement) && (ownMember(renamed, stringAt(requirement, 'key')) ?? '') === key) requirement.set('key', key);
  }
  return allowed;
}

/** Returns the requirements of all terms; those of affinities with the same terms have the same places. */
function requirementsOf(affinity: ValueMap): Value[] {
  const terms = listAt(affinity, 'required', 'nodeSelectorTerms');
  return terms.flatMap(term => [...listAt(term, 'matchExpressions'), ...listAt(term, 'matchFields')]);
}

const mountable = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
];

/** Validates mount options in the old annotation. Source: kubernetes pkg/volume/validation checkMountOption. */
export function checkMountOptions(volume: FieldPath): void {
  const annotation = 'volume.beta.kubernetes.io/mount-options';
  if (mountable.some(kind => volume.child('spec').has(kind)) || !volume.child('metadata', 'annotations').key(annotation).isSet()) return;
  volume.shownAt(`metadata.annotations.${annotation}`).forbidden('may not specify mount options for this volume type');
}
