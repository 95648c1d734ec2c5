import type { AdmissionContext } from '../../apiserver/admission/chain.js';
import { builtInCodec } from '../../apiserver/objects/built-in-codec.js';
import { writeValue } from '../../go/json/write.js';
import { mapAt, stringAt, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { kindOf, type Storage } from '../../kubernetes/storage.js';

/** Returns the stored objects of a kind as a client reads them: typed, quantities in canonical form, with defaults. */
export function listedObjects(
  { storage }: { readonly storage: Storage },
  kind: { readonly group: string; readonly kind: string },
  namespace?: string,
): ValueMap[] {
  return storage.list(kind, namespace).map(value => asRead(storage.server, value));
}

/** Returns one stored object; undefined when it does not exist. */
export function readListedObject(
  { storage }: { readonly storage: Storage },
  kind: { readonly group: string; readonly kind: string },
  { namespace, name }: { readonly namespace: string; readonly name: string },
): ValueMap | undefined {
  const found = storage.find(kind, namespace, name);
  return found === undefined ? undefined : asRead(storage.server, found);
}

/** Returns the annotations of a request's namespace; none for an assumed one. */
export function namespaceAnnotations({ storage }: Pick<AdmissionContext, 'storage'>, namespace: string): ValueMap | undefined {
  return mapAt(storage.find({ group: '', kind: 'Namespace' }, '', namespace), 'metadata', 'annotations');
}

/** Returns the newest object; of several the first by name. Source: kubernetes pkg/volume/util GetDefaultClass. */
export function newest(objects: readonly ValueMap[]): ValueMap | undefined {
  const madeAt = (object: ValueMap): string => stringAt(object, 'metadata', 'creationTimestamp');
  const nameOf = (object: ValueMap): string => stringAt(object, 'metadata', 'name');
  return [...objects].sort((a, b) => compareTexts(madeAt(b), madeAt(a)) || compareTexts(nameOf(a), nameOf(b)))[0];
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns a stored object as a client reads it. */
export function asRead(server: ApiServer, found: ValueMap): ValueMap {
  const codec = builtInCodec(server, kindOf(found));
  if (codec === undefined) return found;
  const { value } = codec.decode(writeValue(found, 'kept'));
  codec.applyDefaults(value);
  return value;
}
