import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';

/** Validates a template's metadata, which may only have labels and annotations. */
export function checkTemplateMeta(metadata: FieldPath): void {
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
    if (isGiven(metadata.child(name === 'uID' ? 'uid' : name))) metadata.child(name).forbidden('cannot be set');
}

function isGiven(field: FieldPath): boolean {
  return field.isSet() && field.value !== '' && field.value !== 0n;
}
