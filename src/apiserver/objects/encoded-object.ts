import type { ApiObject } from './api-object.js';

/** Returns a function that encodes an object as it is then; undefined without an object. */
export function encodedObject(object: ApiObject | undefined): (() => string) | undefined {
  return object === undefined ? undefined : () => object.codec.encode(object.value);
}
