import { writeValue } from '../../../go/json/write.js';
import type { ValueMap } from '../../../go/value.js';
import { type GroupVersionKind, parseApiVersion } from '../../../kubernetes/group-version.js';
import { schemaOfKind } from '../../../kubernetes/type-table.js';
import { builtInCodec } from '../../objects/built-in-codec.js';
import { convertBuiltIn } from '../../objects/convert-built-in.js';
import { atomOfSchema } from '../structured-merge/schema-atom.js';
import type { Versions } from './versions.js';

/** Returns the versions of a built-in kind, by the table of Kubernetes types. */
export function builtInVersions(kind: GroupVersionKind): Versions {
  const kindIn = (apiVersion: string): GroupVersionKind => ({
    ...(parseApiVersion(apiVersion) ?? { group: '', version: '' }),
    kind: kind.kind,
  });
  return {
    typeIn: apiVersion => {
      const schema = schemaOfKind(kindIn(apiVersion));
      return schema === undefined ? undefined : atomOfSchema(schema);
    },
    convert: async (object, to, from) => convert(object, { from: kindIn(from), to: kindIn(to) }),
  };
}

function convert(object: ValueMap, { from, to }: { readonly from: GroupVersionKind; readonly to: GroupVersionKind }): ValueMap | undefined {
  const [source, target] = [builtInCodec(from), builtInCodec(to)];
  if (source === undefined || target === undefined) return undefined;
  const { value } = source.decode(writeValue(object, 'kept'));
  return target.toUnstructured(convertBuiltIn(value, from, to));
}
