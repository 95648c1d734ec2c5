import { copyOf, stringAt } from '../../go/value.js';
import type { Attributes } from '../admission/attributes.js';
import type { ApiObject } from '../objects/api-object.js';

/**
 * Returns the request as it was admitted, with a copy of what the object is now: of its name only when it had none. Source:
 * AdmissionToValidateObjectFunc.
 */
export function attributesToValidate({ codec, value }: ApiObject, admitted: Attributes): Attributes {
  const name = admitted.name || stringAt(value, 'metadata', 'name');
  return { ...admitted, name, object: { codec, value: copyOf(value) } };
}
