import { apiVersionOf, type GroupVersionKind, printKind, sameGroupVersion } from '../kubernetes/group-version.js';
import { PlainError } from '../kubernetes/status.js';
import { kindOf } from '../kubernetes/storage.js';
import { copyOf, stringAt, type ValueMap } from '../kubernetes/value.js';
import { NotReproduced } from './admission/not-reproduced.js';
import { codecFor } from './codec-for.js';
import type { ApiObject } from './objects/api-object.js';
import { builtInCodec } from './objects/built-in-codec.js';
import { convertBuiltIn } from './objects/convert-built-in.js';
import { isCustomCodec } from './objects/custom/custom-codec.js';

/** The object in another version of its kind. */
export async function convertObject(object: ApiObject, to: GroupVersionKind, definition: ValueMap | undefined): Promise<ApiObject> {
  if (sameGroupVersion(object.codec.kind, to)) return object;
  const codec = builtInCodec(to);
  if (codec !== undefined) return { codec, value: convertBuiltIn(object.value, object.codec.kind, to) };
  return convertCustom(object, to, definition);
}

/** Custom resources: by the None strategy only the version's name changes. */
function convertCustom(object: ApiObject, to: GroupVersionKind, definition: ValueMap | undefined): ApiObject {
  if (definition === undefined) throw new NotReproduced(`no conversion is known to ${to.kind} of ${apiVersionOf(to)}`);
  if (stringAt(definition, 'spec', 'conversion', 'strategy') === 'Webhook')
    throw new NotReproduced('conversion by webhook is not reproduced yet');
  const codec = codecFor(to, definition);
  // Neither pruned nor defaulted: that happens on the way from storage only.
  return { codec, value: copyOf(object.value).set('apiVersion', apiVersionOf(to)) };
}

/** A mutated object back in the request's version. Throws the plain 500 when a patch made another kind of it. */
export async function toRequestVersion(object: ApiObject, own: ApiObject, definition: ValueMap | undefined): Promise<ApiObject> {
  if (isCustomCodec(own.codec)) return customBack(object, own, definition);
  const { kind } = object.codec;
  if (kind.kind !== own.codec.kind.kind || kind.group !== own.codec.kind.group) {
    const internal = `${own.codec.kind.group === '' ? 'core' : own.codec.kind.group.split('.', 1)[0]}.${own.codec.kind.kind}`;
    throw new PlainError(`converting (${kind.version}.${kind.kind}) to (${internal}): unknown conversion`);
  }
  const back = await convertObject(object, own.codec.kind, definition);
  const value = copyOf(back.value);
  back.codec.throughInternal(value);
  return { codec: back.codec, value };
}

/** A patch may have made the object another version's or group's. Source: apiextensions-apiserver conversion/converter.go. */
async function customBack(object: ApiObject, own: ApiObject, definition: ValueMap | undefined): Promise<ApiObject> {
  const said = kindOf(object.value);
  const wanted = object.codec.kind;
  if (said.group !== wanted.group || stringAt(object.value, 'apiVersion') === '') {
    throw new PlainError(`${printKind(said)} is unstructured and is not suitable for converting to "${apiVersionOf(own.codec.kind)}"`);
  }
  if (said.version !== wanted.version) throw new PlainError(`request to convert CR from an invalid group/version: ${apiVersionOf(said)}`);
  return convertObject(object, own.codec.kind, definition);
}
