import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import { addInvalid, addProblems, at, entriesAt, hasSet, textOf } from '../../../apiserver/registry/validation/place.js';
import { tooLong } from '../../../kubernetes/field-error.js';
import { configMapKeyProblems } from '../../../kubernetes/name-rules.js';
import { bytesOf, keepData, maximumSize } from '../object-data.js';

/** Source: core/validation ValidateConfigMap. */
export const configMapRules: KindRules = {
  create: checkConfigMap,
  update: ['changes', (object, old) => keepData(object, old, ['data', 'binaryData']), 'metadata', checkConfigMap],
};

function checkConfigMap(object: Place): void {
  let size = 0;
  for (const [key, place] of entriesAt(object, 'data')) {
    addProblems(place, configMapKeyProblems(key), key);
    if (hasSet(at(object, 'binaryData'), key)) addInvalid(place, 'duplicate of key present in binaryData', key);
    size += Buffer.byteLength(textOf(place));
  }
  for (const [key, place] of entriesAt(object, 'binaryData')) {
    addProblems(place, configMapKeyProblems(key), key);
    size += bytesOf(place).length;
  }
  // Path of the whole object, from an empty name.
  if (size > maximumSize) object.errors.push(tooLong('[]', maximumSize));
}

/** ConfigMap. */
export const configMapKind: KindDefinition = { validation: configMapRules };
