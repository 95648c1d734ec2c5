import { addInvalid, addRequired, at, hasSet, type Place } from '../../../../apiserver/registry/validation/place.js';
import { checkFileMode, checkNonReservedPath, checkRequired } from '../../../../apiserver/registry/validation/rules.js';
import { checkFieldRef, checkResourceFieldRef } from './container-env.js';

/** Validates a key of a config map or secret, and the path of its file. Source: validateKeyToPath. */
export function checkKeyToPath(item: Place): void {
  checkRequired(item, 'key', 'path');
  checkNonReservedPath(at(item, 'path'));
  checkFileMode(at(item, 'mode'));
}

const volumeFieldPaths = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];

/** Validates a file of the downward API; its errors name the list. Source: validateDownwardAPIVolumeFile. */
export function checkDownwardFile(file: Place): void {
  checkRequired(file, 'path');
  checkNonReservedPath(at(file, 'path'));
  if (hasSet(file, 'fieldRef')) {
    checkFieldRef(at(file, 'fieldRef'), volumeFieldPaths);
    if (hasSet(file, 'resourceFieldRef')) addInvalid(file, 'fieldRef and resourceFieldRef can not be specified simultaneously', 'resource');
  } else if (hasSet(file, 'resourceFieldRef')) checkResourceFieldRef(at(file, 'resourceFieldRef'), true);
  else addRequired(file, 'one of fieldRef and resourceFieldRef is required');
  checkFileMode(at(file, 'mode'));
}
