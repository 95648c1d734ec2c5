import { copyOf, stringAt } from '../../go/value.js';
import type { Attributes } from '../admission/attributes.js';
import type { ApiObject } from '../objects/api-object.js';

/**
 * Returns the admitted attributes with a copy of the current object; its name is used only when the attributes have none. Source:
 * AdmissionToValidateObjectFunc.
 */
export function attributesToValidate({ codec, value }: ApiObject, admitted: Attributes): Attributes {
  const name = admitted.name || stringAt(value, 'metadata', 'name');
  return { ...admitted, name, object: { codec, value: copyOf(value) } };
}
