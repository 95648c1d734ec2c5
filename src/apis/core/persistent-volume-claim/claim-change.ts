import { semanticallyEqualAs } from '../../../apiserver/objects/semantic-equality.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { indentedInternal } from '../../../apiserver/registry/validation/go-value.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import { unifiedDiff } from '../../../apiserver/registry/validation/unified-diff.js';
import { copyOf, mapAt, type ValueMap, valueAt } from '../../../go/value.js';
import { compareQuantities } from '../../../kubernetes/quantity.js';
import { structNamed } from '../../../kubernetes/type-table.js';

const classAnnotation = 'volume.beta.kubernetes.io/storage-class';
const type = 'core/v1.PersistentVolumeClaimSpec';

/**
 * Validates claim changes: the size of a bound one may change, and the volume may be set once. Source: ValidatePersistentVolumeClaimUpdate.
 */
export function checkClaimChange(claim: FieldPath, old: FieldPath): void {
  const [spec, before] = [claim.child('spec'), old.child('spec')];
  const [munged, stored] = [copyOf(spec.members()), copyOf(before.members())];
  if (before.text('volumeName') === '') copyMember(stored, munged, 'volumeName');
  takeClass(claim, old, munged);
  if (claim.text('status', 'phase') === 'Bound') {
    const requests = mapAt(munged, 'resources', 'requests');
    if (requests !== undefined) copyMember(requests, mapAt(stored, 'resources', 'requests') ?? new Map(), 'storage');
    copyMember(munged, stored, 'volumeAttributesClassName');
  }
  if (!semanticallyEqualAs(structNamed(claim.server, type), munged, stored)) {
    const diff = unifiedDiff(indentedInternal(claim.server, type, stored), indentedInternal(claim.server, type, munged));
    spec.forbidden(`spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${diff}`);
  }
  checkSize(claim, old);
  // The path omits the spec.
  checkImmutable(spec.shownAt(''), before, { type, name: 'volumeMode' });
  const attributes = spec.child('volumeAttributesClassName');
  if (
    old.child('status', 'currentVolumeAttributesClassName').isSet() &&
    attributes.text() === '' &&
    before.text('volumeAttributesClassName') !== ''
  )
    attributes.forbidden(
      `update to ${attributes.isSet() ? 'empty string' : 'nil'} is forbidden when status.currentVolumeAttributesClassName is not nil`,
    );
}

/** Accepts a class that moves from the annotation to its field, and one that is set where none was. */
function takeClass(claim: FieldPath, old: FieldPath, munged: ValueMap): void {
  const annotationOf = (of: FieldPath): string => of.text('metadata', 'annotations', classAnnotation);
  const [now, before] = [claim.child('spec', 'storageClassName'), old.child('spec', 'storageClassName')];
  const hadAnnotation = old.child('metadata', 'annotations').members().has(classAnnotation);
  const isUpgraded = hadAnnotation && !before.isSet() && now.isSet() && now.text() === annotationOf(old);
  if (isUpgraded && (annotationOf(claim) === '' || annotationOf(claim) === annotationOf(old))) {
    munged.delete('storageClassName');
    return;
  }
  if (annotationOf(claim) !== annotationOf(old))
    claim.shownAt(`metadata.annotations.${classAnnotation}`).invalid(annotationOf(claim), 'field is immutable');
  if (!before.isSet() && now.isSet() && !hadAnnotation) munged.delete('storageClassName');
}

function checkSize(claim: FieldPath, old: FieldPath): void {
  const size = claim.child('spec', 'resources', 'requests', 'storage');
  const amountOf = (of: FieldPath, ...path: readonly string[]): string => of.text(...path, 'storage') || '0';
  const now = amountOf(claim, 'spec', 'resources', 'requests');
  if (compareQuantities(now, amountOf(old, 'spec', 'resources', 'requests')) >= 0) return;
  if (compareQuantities(now, amountOf(old, 'status', 'capacity')) <= 0) size.forbidden('field can not be less than status.capacity');
}

function copyMember(to: ValueMap, from: ValueMap, key: string): void {
  const value = valueAt(from, key);
  if (value === undefined) to.delete(key);
  else to.set(key, value);
}
