import { copyOf, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { apiVersionOf, type GroupVersionKind } from '../../kubernetes/group-version.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import { fromInternal, toInternal } from './internal-version.js';
import { withoutUnknownFields } from './unknown-fields.js';

/**
 * Converts the object to another version of its kind, through the internal version; does not change its input. Both kinds must be built in
 * and have the same internal type. Throws DecodeError where a conversion fails.
 */
export function convertBuiltIn(server: ApiServer, value: ValueMap, from: GroupVersionKind, to: GroupVersionKind): ValueMap {
  const [source, target] = [schemaOfKind(server, from), schemaOfKind(server, to)];
  if (source === undefined || target === undefined) throw new Error(`no built-in kind: ${from.kind} or ${to.kind}`);
  const converted = copyOf(value);
  toInternal(source, converted);
  fromInternal(target, converted);
  withoutUnknownFields(target, converted);
  converted.set('kind', to.kind).set('apiVersion', apiVersionOf(to));
  return converted;
}
