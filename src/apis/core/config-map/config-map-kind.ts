import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { tooLong } from '../../../kubernetes/field-error.js';
import { configMapKeyProblems } from '../../../kubernetes/name-rules.js';
import { keepData, maximumSize, objectDataBytes } from '../object-data.js';

/** Source: core/validation ValidateConfigMap. */
export const configMapRules: KindRules = {
  create: checkConfigMap,
  update: ['changes', (object, old) => keepData(object, old, ['data', 'binaryData']), 'metadata', checkConfigMap],
};

function checkConfigMap(object: FieldPath): void {
  let size = 0;
  for (const [key, field] of object.entries('data')) {
    field.invalidEach(key, configMapKeyProblems(key));
    if (object.child('binaryData').has(key)) field.invalid(key, 'duplicate of key present in binaryData');
    size += Buffer.byteLength(field.text());
  }
  for (const [key, field] of object.entries('binaryData')) {
    field.invalidEach(key, configMapKeyProblems(key));
    size += objectDataBytes(field).length;
  }
  // Path of the whole object, from an empty name.
  if (size > maximumSize) object.errors.push(tooLong('[]', maximumSize));
}

/** ConfigMap. */
export const configMapKind: KindDefinition = { validation: configMapRules };
