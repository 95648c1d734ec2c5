import { writeValue } from '../../go/json/write.js';
import { copyOf, isMap, mapAt, type ValueMap } from '../../go/value.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import type { ApiObject } from '../objects/api-object.js';
import { builtInCodec } from '../objects/built-in-codec.js';
import { isCustomCodec } from '../objects/custom-codec.js';
import { toInternal } from '../objects/internal-version.js';

const partials = new WeakMap<ValueMap, Map<string, ApiObject>>();

/** Returns the metadata of a read-only object alone, as PartialObjectMetadata of meta.k8s.io; cached. */
export function partialObject(object: ApiObject, version: string): ApiObject {
  const known = partials.get(object.value);
  const kept = known?.get(version);
  const partial = kept?.codec.server === object.codec.server ? kept : makePartial(object, version);
  partials.set(object.value, (known ?? new Map<string, ApiObject>()).set(version, partial));
  return partial;
}

function makePartial(object: ApiObject, version: string): ApiObject {
  const kind = { group: 'meta.k8s.io', version: 'v1', kind: 'PartialObjectMetadata' };
  // All versions have the same fields; the table of types has those of v1.
  const partial = builtInCodec(object.codec.server, kind);
  if (partial === undefined) throw new Error('no type PartialObjectMetadata in the table of Kubernetes types');
  const typed: ValueMap = new Map([
    ['kind', kind.kind],
    ['apiVersion', apiVersionOf({ ...kind, version })],
  ]);
  const metadata = internalMetadata(object);
  if (metadata === undefined) return { codec: partial, value: typed };
  if (!isCustomCodec(object.codec)) return { codec: partial, value: typed.set('metadata', metadata) };
  const read = partial.decode(writeValue(new Map([['metadata', metadata]]), 'kept')).value;
  return { codec: partial, value: typed.set('metadata', read.get('metadata') ?? new Map()) };
}

/** The metadata are those of the internal type, which has fields for what versions keep in annotations. */
function internalMetadata({ value, codec }: ApiObject): ValueMap | undefined {
  const metadata = mapAt(value, 'metadata');
  const schema = isCustomCodec(codec) || !isMap(metadata?.get('annotations')) ? undefined : schemaOfKind(codec.server, codec.kind);
  if (schema === undefined) return metadata;
  const internal = copyOf(value);
  toInternal(schema, internal);
  return mapAt(internal, 'metadata');
}
