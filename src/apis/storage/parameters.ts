import type { FieldPath } from '../../apiserver/registry/validation/field-path.js';

const maxCount = 512;
const maxSize = 256 * 1024;

/** Validates parameters of a class; returns false if there are too many. Source: storage/validation validateParameters. */
export function checkParameters(parameters: FieldPath): boolean {
  if (parameters.length() > maxCount) {
    parameters.tooLong(maxCount);
    return false;
  }
  let size = 0;
  for (const [key, value] of parameters.entries()) {
    if (key === '') parameters.invalid('', 'field can not be empty.');
    size += Buffer.byteLength(key) + Buffer.byteLength(value.text());
  }
  if (size > maxSize) parameters.tooLong(maxSize);
  return true;
}
