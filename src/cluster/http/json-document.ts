import { readUnstructured } from '../../encoding/unstructured.js';
import { isMap, type ValueMap } from '../../go/value.js';

/** Returns the JSON object of a body; undefined for any other body. */
export function documentIn(body: string): ValueMap | undefined {
  try {
    const document = readUnstructured(body);
    return isMap(document) ? document : undefined;
  } catch {
    return undefined;
  }
}
