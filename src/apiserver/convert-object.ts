import { apiVersionOf, type GroupVersionKind, sameGroupVersion } from '../kubernetes/group-version.js';
import { PlainError } from '../kubernetes/status.js';
import { NotReproduced } from './admission/not-reproduced.js';
import type { ApiObject } from './objects/api-object.js';
import { builtInCodec } from './objects/built-in-codec.js';
import { convertBuiltIn } from './objects/convert-built-in.js';

/** The object in another version of its kind. */
export async function convertObject(object: ApiObject, to: GroupVersionKind): Promise<ApiObject> {
  if (sameGroupVersion(object.codec.kind, to)) return object;
  const codec = builtInCodec(to);
  if (codec === undefined) throw new NotReproduced(`conversion to ${apiVersionOf(to)} is not reproduced yet`);
  return { codec, value: convertBuiltIn(object.value, object.codec.kind, to) };
}

/** A mutated object back in the request's version. Throws the plain 500 when a patch made another kind of it. */
export async function toRequestVersion(object: ApiObject, own: ApiObject): Promise<ApiObject> {
  const { kind } = object.codec;
  if (kind.kind !== own.codec.kind.kind || kind.group !== own.codec.kind.group) {
    const internal = `${own.codec.kind.group === '' ? 'core' : own.codec.kind.group.split('.', 1)[0]}.${own.codec.kind.kind}`;
    throw new PlainError(`converting (${kind.version}.${kind.kind}) to (${internal}): unknown conversion`);
  }
  return convertObject(object, own.codec.kind);
}
