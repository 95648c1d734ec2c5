import { writeValue } from '../../../go/json/write.js';
import type { ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { type GroupVersionKind, parseApiVersion } from '../../../kubernetes/group-version.js';
import type { ServedGroup } from '../../../kubernetes/resource-table.js';
import { schemaOfKind } from '../../../kubernetes/type-table.js';
import { builtInCodec } from '../../objects/built-in-codec.js';
import { convertBuiltIn } from '../../objects/convert-built-in.js';
import { atomOfSchema } from '../structured-merge/schema-atom.js';
import type { ManagedVersions } from './versions.js';

/**
 * Returns the versions of a built-in kind, by the table of Kubernetes types. The API server has merge types only for versions that it
 * serves. Source: apiserver server/genericapiserver.go getOpenAPIModels.
 */
export function builtInVersions(server: ApiServer, kind: GroupVersionKind, served: readonly ServedGroup[]): ManagedVersions {
  const kindIn = (apiVersion: string): GroupVersionKind => ({
    ...(parseApiVersion(apiVersion) ?? { group: '', version: '' }),
    kind: kind.kind,
  });
  return {
    typeIn: apiVersion => {
      const schema = schemaOfKind(server, kindIn(apiVersion));
      return schema === undefined ? undefined : atomOfSchema(schema);
    },
    convert: async (object, to, from) =>
      isServed(to, served) ? convert(server, object, { from: kindIn(from), to: kindIn(to) }) : undefined,
  };
}

function isServed(apiVersion: string, served: readonly ServedGroup[]): boolean {
  const found = parseApiVersion(apiVersion);
  return served.some(({ group, versions }) => group === found?.group && versions.includes(found.version));
}

function convert(
  server: ApiServer,
  object: ValueMap,
  { from, to }: { readonly from: GroupVersionKind; readonly to: GroupVersionKind },
): ValueMap | undefined {
  const [source, target] = [builtInCodec(server, from), builtInCodec(server, to)];
  if (source === undefined || target === undefined) return undefined;
  const { value } = source.decode(writeValue(object, 'kept'));
  return target.toUnstructured(convertBuiltIn(server, value, from, to));
}
