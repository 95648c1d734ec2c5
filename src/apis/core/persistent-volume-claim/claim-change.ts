import { semanticallyEqualAs } from '../../../apiserver/objects/semantic-equality.js';
import { indentedInternal } from '../../../apiserver/registry/validation/go-value.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import { addForbidden, addInvalid, at, isSet, mapOf, type Place, textAt, textOf } from '../../../apiserver/registry/validation/place.js';
import { unifiedDiff } from '../../../apiserver/registry/validation/unified-diff.js';
import { copyOf, mapAt, type ValueMap, valueAt } from '../../../go/value.js';
import { compareQuantities } from '../../../kubernetes/quantity.js';
import { structNamed } from '../../../kubernetes/type-table.js';

const classAnnotation = 'volume.beta.kubernetes.io/storage-class';
const type = 'core/v1.PersistentVolumeClaimSpec';

/**
 * Validates claim changes: the size of a bound one may change, and the volume may be set once. Source: ValidatePersistentVolumeClaimUpdate.
 */
export function checkClaimChange(claim: Place, old: Place): void {
  const [spec, before] = [at(claim, 'spec'), at(old, 'spec')];
  const [munged, stored] = [copyOf(mapOf(spec)), copyOf(mapOf(before))];
  if (textAt(before, 'volumeName') === '') copyMember(stored, munged, 'volumeName');
  takeClass(claim, old, munged);
  if (textAt(claim, 'status', 'phase') === 'Bound') {
    const requests = mapAt(munged, 'resources', 'requests');
    if (requests !== undefined) copyMember(requests, mapAt(stored, 'resources', 'requests') ?? new Map(), 'storage');
    copyMember(munged, stored, 'volumeAttributesClassName');
  }
  if (!semanticallyEqualAs(structNamed(claim.server, type), munged, stored)) {
    const diff = unifiedDiff(indentedInternal(claim.server, type, stored), indentedInternal(claim.server, type, munged));
    addForbidden(
      spec,
      `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${diff}`,
    );
  }
  checkSize(claim, old);
  // The path omits the spec.
  checkImmutable({ ...spec, path: '' }, before, { type, name: 'volumeMode' });
  const attributes = at(spec, 'volumeAttributesClassName');
  if (
    isSet(at(old, 'status', 'currentVolumeAttributesClassName')) &&
    textOf(attributes) === '' &&
    textAt(before, 'volumeAttributesClassName') !== ''
  )
    addForbidden(
      attributes,
      `update to ${isSet(attributes) ? 'empty string' : 'nil'} is forbidden when status.currentVolumeAttributesClassName is not nil`,
    );
}

/** Accepts a class that moves from the annotation to its field, and one that is set where none was. */
function takeClass(claim: Place, old: Place, munged: ValueMap): void {
  const annotationOf = (of: Place): string => textAt(of, 'metadata', 'annotations', classAnnotation);
  const [now, before] = [at(claim, 'spec', 'storageClassName'), at(old, 'spec', 'storageClassName')];
  const hadAnnotation = mapOf(at(old, 'metadata', 'annotations')).has(classAnnotation);
  const isUpgraded = hadAnnotation && !isSet(before) && isSet(now) && textOf(now) === annotationOf(old);
  if (isUpgraded && (annotationOf(claim) === '' || annotationOf(claim) === annotationOf(old))) {
    munged.delete('storageClassName');
    return;
  }
  if (annotationOf(claim) !== annotationOf(old))
    addInvalid({ ...claim, path: `metadata.annotations.${classAnnotation}` }, 'field is immutable', annotationOf(claim));
  if (!isSet(before) && isSet(now) && !hadAnnotation) munged.delete('storageClassName');
}

function checkSize(claim: Place, old: Place): void {
  const size = at(claim, 'spec', 'resources', 'requests', 'storage');
  const amountOf = (of: Place, ...path: readonly string[]): string => textAt(of, ...path, 'storage') || '0';
  const now = amountOf(claim, 'spec', 'resources', 'requests');
  if (compareQuantities(now, amountOf(old, 'spec', 'resources', 'requests')) >= 0) return;
  if (compareQuantities(now, amountOf(old, 'status', 'capacity')) <= 0) addForbidden(size, 'field can not be less than status.capacity');
}

function copyMember(to: ValueMap, from: ValueMap, key: string): void {
  const value = valueAt(from, key);
  if (value === undefined) to.delete(key);
  else to.set(key, value);
}
