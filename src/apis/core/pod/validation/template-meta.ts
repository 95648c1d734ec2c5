import { addForbidden, at, isSet, type Place } from '../../../../apiserver/registry/validation/place.js';

/** Validates a template's metadata, which may only have labels and annotations. */
export function checkTemplateMeta(metadata: Place): void {
  // The paths use Go's names.
  for (const name of [
    'name',
    'generateName',
    'namespace',
    'selfLink',
    'uID',
    'resourceVersion',
    'generation',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'ownerReferences',
    'finalizers',
    'managedFields',
  ])
    if (isGiven(at(metadata, name === 'uID' ? 'uid' : name))) addForbidden(at(metadata, name), 'cannot be set');
}

function isGiven(place: Place): boolean {
  return isSet(place) && place.value !== '' && place.value !== 0n;
}
