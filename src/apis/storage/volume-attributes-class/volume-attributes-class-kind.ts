import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { sameMember } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { labelKeyProblems } from '../../../kubernetes/name-rules.js';
import { checkParameters } from '../parameters.js';

/** Source: storage/validation ValidateVolumeAttributesClass. */
const volumeAttributesClassRules: KindRules = {
  create: checkClass,
  update: ['changes', keepClass, 'metadata', checkClass],
};

function checkClass(field: FieldPath): void {
  const [driver, parameters] = [field.child('driverName'), field.child('parameters')];
  if (driver.text() === '') driver.required();
  else driver.invalidEach(driver.text().toLowerCase(), labelKeyProblems(field.server, driver.text().toLowerCase()));
  if (checkParameters(parameters) && parameters.length() === 0) parameters.required('must contain at least one key/value pair');
}

function keepClass(now: FieldPath, old: FieldPath): void {
  if (now.text('driverName') !== old.text('driverName')) now.child('driverName').forbidden('updates to driverName are forbidden.');
  const type = { type: 'storage/v1.VolumeAttributesClass', name: 'parameters' };
  const parameters = now.child('parameters');
  if (!sameMember(now.server, parameters.value, old.child('parameters').value, type))
    parameters.forbidden('updates to parameters are forbidden.');
}

/** VolumeAttributesClass. */
export const volumeAttributesClassKind: KindDefinition = {
  validation: volumeAttributesClassRules,
  checkedTwiceUntil: 'v1.34',
  deletion: { returnsObject: true },
};
