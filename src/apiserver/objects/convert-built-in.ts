import { apiVersionOf, type GroupVersionKind } from '../../kubernetes/group-version.js';
import { copyOf, type ValueMap } from '../../kubernetes/value.js';

/** The object in another version of its kind, through the internal version. */
export function convertBuiltIn(value: ValueMap, from: GroupVersionKind, to: GroupVersionKind): ValueMap {
  const converted = copyOf(value);
  if (from.kind === to.kind) converted.set('apiVersion', apiVersionOf(to));
  return converted;
}
