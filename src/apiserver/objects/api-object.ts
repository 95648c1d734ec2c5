import { copyOf, type ValueMap } from '../../go/value.js';
import type { Codec } from './codec.js';

/** Object in one version, with the codec of that version. */
export interface ApiObject {
  readonly codec: Codec;
  readonly value: ValueMap;
}

/** Returns a deep copy. */
export function copyOfObject(object: ApiObject): ApiObject {
  return { codec: object.codec, value: copyOf(object.value) };
}
