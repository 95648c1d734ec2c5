import { copyOf, isMap, stringAt, type ValueMap } from '../../go/value.js';
import type { Attributes } from '../admission/attributes.js';
import type { ApiObject } from '../objects/api-object.js';
import { isCustomCodec } from '../objects/custom-codec.js';

/**
 * Returns the admitted attributes with a copy of the current object, of which only the metadata may change from now on; its name is used only when the
 * attributes have none. Source: AdmissionToValidateObjectFunc.
 */
export function attributesToValidate(object: ApiObject, admitted: Attributes): Attributes {
  const name = admitted.name || stringAt(object.value, 'metadata', 'name');
  return { ...admitted, name, object: copyBeforeStorage(object) };
}

/** Returns a copy for the validating phase. Storage changes a custom resource, and of a built-in object only the metadata: other parts are shared. */
export function copyBeforeStorage({ codec, value }: ApiObject): ApiObject {
  return { codec, value: isCustomCodec(codec) ? copyOf(value) : copyOfMetadata(value) };
}

function copyOfMetadata(value: ValueMap): ValueMap {
  const metadata = value.get('metadata');
  return isMap(metadata) ? new Map(value).set('metadata', new Map(metadata)) : new Map(value);
}
