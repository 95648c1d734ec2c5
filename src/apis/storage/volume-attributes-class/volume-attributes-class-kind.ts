import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { sameMember } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import { addForbidden, addProblems, addRequired, at, lengthOf, textAt, textOf } from '../../../apiserver/registry/validation/place.js';
import { labelKeyProblems } from '../../../kubernetes/name-rules.js';
import { checkParameters } from '../parameters.js';

/** Source: storage/validation ValidateVolumeAttributesClass. */
const volumeAttributesClassRules: KindRules = {
  create: checkClass,
  update: ['changes', keepClass, 'metadata', checkClass],
};

function checkClass(place: Place): void {
  const [driver, parameters] = [at(place, 'driverName'), at(place, 'parameters')];
  if (textOf(driver) === '') addRequired(driver);
  else addProblems(driver, labelKeyProblems(place.server, textOf(driver).toLowerCase()), textOf(driver).toLowerCase());
  if (checkParameters(parameters) && lengthOf(parameters) === 0) addRequired(parameters, 'must contain at least one key/value pair');
}

function keepClass(now: Place, old: Place): void {
  if (textAt(now, 'driverName') !== textAt(old, 'driverName')) addForbidden(at(now, 'driverName'), 'updates to driverName are forbidden.');
  const type = { type: 'storage/v1.VolumeAttributesClass', name: 'parameters' };
  const parameters = at(now, 'parameters');
  if (!sameMember(now.server, parameters.value, at(old, 'parameters').value, type))
    addForbidden(parameters, 'updates to parameters are forbidden.');
}

/** VolumeAttributesClass. */
export const volumeAttributesClassKind: KindDefinition = {
  validation: volumeAttributesClassRules,
  checkedTwiceUntil: 'v1.34',
  deletion: { returnsObject: true },
};
