import { addInvalid, entriesAt, lengthOf, type Place, textOf } from '../../apiserver/registry/validation/place.js';
import { tooLong } from '../../kubernetes/field-error.js';

const maxCount = 512;
const maxSize = 256 * 1024;

/** Validates parameters of a class; returns false if there are too many. Source: storage/validation validateParameters. */
export function checkParameters(parameters: Place): boolean {
  if (lengthOf(parameters) > maxCount) {
    parameters.errors.push(tooLong(parameters.path, maxCount));
    return false;
  }
  let size = 0;
  for (const [key, value] of entriesAt(parameters)) {
    if (key === '') addInvalid(parameters, 'field can not be empty.', '');
    size += Buffer.byteLength(key) + Buffer.byteLength(textOf(value));
  }
  if (size > maxSize) parameters.errors.push(tooLong(parameters.path, maxSize));
  return true;
}
