import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { checkFileMode, checkNonReservedPath, checkRequired } from '../../../../apiserver/registry/validation/rules.js';
import { checkFieldRef, checkResourceFieldRef } from './container-env.js';

/** Validates a key of a config map or secret, and the path of its file. Source: validateKeyToPath. */
export function checkKeyToPath(item: FieldPath): void {
  checkRequired(item, 'key', 'path');
  checkNonReservedPath(item.child('path'));
  checkFileMode(item.child('mode'));
}

const volumeFieldPaths = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];

/** Validates a file of the downward API; its errors name the list. Source: validateDownwardAPIVolumeFile. */
export function checkDownwardFile(file: FieldPath): void {
  checkRequired(file, 'path');
  checkNonReservedPath(file.child('path'));
  if (file.has('fieldRef')) {
    checkFieldRef(file.child('fieldRef'), volumeFieldPaths);
    if (file.has('resourceFieldRef')) file.invalid('resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
  } else if (file.has('resourceFieldRef')) checkResourceFieldRef(file.child('resourceFieldRef'), true);
  else file.required('one of fieldRef and resourceFieldRef is required');
  checkFileMode(file.child('mode'));
}
