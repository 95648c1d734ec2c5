import { semanticallyEqualAs } from '../../../apiserver/objects/semantic-equality.js';
import { indentedInternal, internalValue } from '../../../apiserver/registry/validation/go-value.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import { addForbidden, addInvalid, at, entryAt, hasSet, isSet, mapOf, type Place } from '../../../apiserver/registry/validation/place.js';
import { unifiedDiff } from '../../../apiserver/registry/validation/unified-diff.js';
import type { ValueMap } from '../../../go/value.js';
import { structNamed } from '../../../kubernetes/type-table.js';

const sourceType = 'core/v1.PersistentVolumeSource';
const affinityType = 'core/v1.VolumeNodeAffinity';

/** Validates volume changes: source and location are immutable. Source: core/validation ValidatePersistentVolumeUpdate. */
export function checkVolumeChange(volume: Place, old: Place): void {
  const [spec, before] = [at(volume, 'spec'), at(old, 'spec')];
  const [source, stored] = [sourceOf(spec, before), sourceOf(before, before)];
  if (!semanticallyEqualAs(structNamed(volume.server, sourceType), source, stored)) {
    const diff = unifiedDiff(indentedInternal(volume.server, sourceType, stored), indentedInternal(volume.server, sourceType, source));
    addForbidden({ ...spec, path: 'spec.persistentvolumesource' }, `spec.persistentvolumesource is immutable after creation\n${diff}`);
  }
  // The paths omit the spec.
  checkImmutable({ ...spec, path: '' }, before, { type: 'core/v1.PersistentVolumeSpec', name: 'volumeMode' });
  checkAffinity({ ...at(spec, 'nodeAffinity'), path: 'nodeAffinity' }, at(before, 'nodeAffinity'));
  const attributesClass = at(spec, 'volumeAttributesClassName');
  if (!isSet(attributesClass) && hasSet(before, 'volumeAttributesClassName'))
    addForbidden(attributesClass, 'update from non-nil value to nil is forbidden');
}

/** Returns only the fields of the source; the secret for CSI volume expansion may be set later. */
function sourceOf(spec: Place, before: Place): ValueMap {
  const { fieldsByName } = structNamed(spec.server, sourceType);
  const source: ValueMap = new Map([...mapOf(spec)].filter(([key]) => fieldsByName.has(key)));
  const csi = at(spec, 'csi');
  if (isSet(at(before, 'csi')) && !hasSet(at(before, 'csi'), 'controllerExpandSecretRef') && isSet(csi))
    source.set('csi', new Map([...mapOf(csi)].filter(([key]) => key !== 'controllerExpandSecretRef')));
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

function checkAffinity(now: Place, before: Place): void {
  if (!isSet(before)) return;
  const schema = structNamed(now.server, affinityType);
  const text = (value: ValueMap): string =>
    indentedInternal(now.server, affinityType, value).replace(/("Key": )"([^"]*)"/g, (_, name, key) => `${name}"${renamed[key] ?? key}"`);
  const isUpgrade = isSet(now) && text(mapOf(now)) === text(mapOf(before));
  if (isUpgrade || (isSet(now) && semanticallyEqualAs(schema, mapOf(now), mapOf(before)))) return;
  const shown = isSet(now) ? internalValue(now.server, affinityType, now.value) : null;
  addInvalid(now, 'field is immutable, except for updating from beta label to GA', shown);
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
export function checkMountOptions(volume: Place): void {
  const annotation = 'volume.beta.kubernetes.io/mount-options';
  if (mountable.some(kind => hasSet(at(volume, 'spec'), kind)) || !isSet(entryAt(at(volume, 'metadata', 'annotations'), annotation)))
    return;
  addForbidden({ ...volume, path: `metadata.annotations.${annotation}` }, 'may not specify mount options for this volume type');
}
