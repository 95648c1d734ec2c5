import { readUnstructured } from '../../../encoding/unstructured.js';
import { isMap, type Value } from '../../../go/value.js';
import type { ApiCall } from '../../../kubernetes/api-call.js';

/** Returns the object in the body of a call, to explain selectors by its labels; undefined for patches and calls without an object. */
export function bodyOfCall(call: ApiCall): Value | undefined {
  if (call.body === undefined || call.contentType !== 'application/json') return undefined;
  const body = readUnstructured(Buffer.from(call.body).toString('utf8'));
  return isMap(body) && body.has('metadata') ? body : undefined;
}
