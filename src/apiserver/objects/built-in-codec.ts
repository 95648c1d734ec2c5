import type { ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { apiVersionOf, type GroupVersionKind } from '../../kubernetes/group-version.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import type { Codec } from './codec.js';
import { decodeTyped } from './decode-typed.js';
import { encodeTyped } from './encode-typed.js';
import { fromInternal, toInternal } from './internal-version.js';
import { setDefaultsOf } from './set-defaults.js';
import { toUnstructured } from './to-unstructured.js';

/** Returns the codec of a built-in kind; undefined when the API server has no Go type for it. */
export function builtInCodec(server: ApiServer, kind: GroupVersionKind): Codec | undefined {
  const schema = schemaOfKind(server, kind);
  if (schema === undefined) return undefined;
  const setDefaults = (value: ValueMap, now?: Date) => setDefaultsOf(schema, value, now);
  const throughInternal = (value: ValueMap) => {
    toInternal(schema, value);
    fromInternal(schema, value);
    value.set('kind', kind.kind);
    value.set('apiVersion', apiVersionOf(kind));
  };
  return {
    kind,
    server,
    decode: (text, node) => decodeTyped(text, schema, node),
    applyDefaults(value, now) {
      setDefaults(value, now);
      throughInternal(value);
    },
    setDefaults,
    throughInternal,
    encode: value => encodeTyped(value, schema),
    toUnstructured: value => toUnstructured(value, schema),
  };
}
