import { copyWithSharedMaps, stringAt, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { apiVersionOf, type GroupVersionKind, parseApiVersion, printKind, sameGroupVersion } from '../../kubernetes/group-version.js';
import type { StructSchema } from '../../kubernetes/schema.js';
import { PlainError } from '../../kubernetes/status.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import { NotReproduced } from '../admission/not-reproduced.js';
import { ConversionError } from '../conversion/conversion-error.js';
import type { Converter } from '../conversion/converter.js';
import type { ApiObject } from '../objects/api-object.js';
import { builtInCodec } from '../objects/built-in-codec.js';
import { DecodeError } from '../objects/codec.js';
import { convertBuiltIn } from '../objects/convert-built-in.js';
import { isCustomCodec } from '../objects/custom-codec.js';
import { notRegistered } from '../objects/not-registered.js';
import { unknownConversion } from '../objects/unknown-conversion.js';
import { fromUnstructured } from '../patches/from-unstructured.js';
import { PatchError } from '../patches/patch-error.js';
import { codecFor } from './codec-for.js';

/** A definition and its converter. */
export interface CustomVersions {
  readonly definition: ValueMap;
  readonly convert: Converter;
  /**
   * Returns the version in which an object of the state is stored, whose defaults are applied on read. Undefined if that is unknown: then
   * the object is the response to a GET in its own version.
   */
  readonly storedVersion: (stored: ValueMap) => string | undefined;
}

/** Returns the object in another version of its kind; neither pruned nor defaulted. Throws PlainError when a converter fails. */
async function convertObject(object: ApiObject, to: GroupVersionKind, custom: CustomVersions | undefined): Promise<ApiObject> {
  if (sameGroupVersion(object.codec.kind, to)) return object;
  const codec = builtInCodec(object.codec.server, to);
  if (codec !== undefined) return { codec, value: convertBuiltIn(object.codec.server, object.value, object.codec.kind, to) };
  if (custom === undefined) throw new NotReproduced(`the conversion to ${to.kind} of ${apiVersionOf(to)} is not reproduced`);
  return { codec: codecFor(object.codec.server, to, custom.definition), value: await convertCustom(object.value, to, custom) };
}

/**
 * Converts the object to the version that a webhook requests. A custom resource is converted from its own apiVersion, which a patch may
 * have changed. Throws PlainError when a converter fails, or for an object of another group. Source: apiserver
 * admission/plugin/webhook/generic ConvertToGVK, apiextensions-apiserver conversion/converter.go ConvertToVersion.
 */
export async function convertForWebhook(object: ApiObject, to: GroupVersionKind, custom: CustomVersions | undefined): Promise<ApiObject> {
  if (!isCustomCodec(object.codec)) return convertObject(object, to, custom);
  const { group, version } = parseApiVersion(stringAt(object.value, 'apiVersion')) ?? { group: '', version: '' };
  if (group !== to.group) {
    const own = `${group}/${version}, Kind=${stringAt(object.value, 'kind')}`;
    throw new PlainError(`${own} is unstructured and is not suitable for converting to "${apiVersionOf(to)}"`);
  }
  if (custom === undefined) return convertObject(object, to, custom);
  return { codec: codecFor(object.codec.server, to, custom.definition), value: await convertCustom(object.value, to, custom) };
}

/** Converts a custom resource to the version of a kind. Throws PlainError with the converter's message. */
export async function convertCustom(object: ValueMap, to: GroupVersionKind, custom: CustomVersions): Promise<ValueMap> {
  return convertTo(object, apiVersionOf(to), custom);
}

/** Converts a custom resource to another version (`group/version`). Throws PlainError with the converter's message. */
export async function convertTo(object: ValueMap, to: string, { convert }: CustomVersions): Promise<ValueMap> {
  try {
    return await convert(object, to);
  } catch (error) {
    if (error instanceof ConversionError) throw new PlainError(error.message);
    throw error;
  }
}

/**
 * Converts a mutated object back to the request's version and type. Throws a plain 500 when a patch changed its kind, or when its
 * internal type cannot represent it.
 */
export async function convertToRequestVersion(object: ApiObject, own: ApiObject, custom: CustomVersions | undefined): Promise<ApiObject> {
  // A patch may have changed a custom resource's version or group: the converter reports it.
  if (isCustomCodec(own.codec) && custom !== undefined) {
    return { codec: own.codec, value: await convertCustom(object.value, own.codec.kind, custom) };
  }
  if (own.codec.patched !== undefined) return { codec: own.codec, value: typedScale(object.codec.server, object.value, own.codec.kind) };
  const { kind } = object.codec;
  const { internalPackage } = object.codec.server.scheme;
  if (kind.kind !== own.codec.kind.kind || internalPackage(kind.group) !== internalPackage(own.codec.kind.group))
    throw new PlainError(unknownConversion(object.codec.server, kind, own.codec.kind));
  try {
    const back = await convertObject(object, own.codec.kind, custom);
    const value = copyWithSharedMaps(back.value);
    const type = schemaOfKind(object.codec.server, own.codec.kind)?.name;
    if (type !== undefined) object.codec.server.scheme.conversionRule(type)?.keepUnassigned?.(value, own.value, object.codec.server);
    back.codec.throughInternal(value);
    return { codec: back.codec, value };
  } catch (error) {
    if (error instanceof DecodeError) throw new PlainError(error.message);
    throw error;
  }
}

/**
 * Returns the Scale of a custom resource after a webhook's patch: read from the untyped object, without kind and apiVersion, which Go's
 * conversion does not copy. Throws PlainError when the patch made it another kind. Source: apimachinery runtime Scheme.Convert,
 * Scheme.unstructuredToTyped.
 */
function typedScale(server: ApiServer, untyped: ValueMap, kind: GroupVersionKind): ValueMap {
  const named = namedKind(untyped);
  const schema = schemaOfKind(server, named);
  if (schema === undefined) throw new PlainError(notRegistered(server, named));
  const typed = restored(untyped, schema, named);
  const types = [schema.name, schemaOfKind(server, kind)?.name ?? ''].map(name => name.slice(name.lastIndexOf('/') + 1));
  if (printKind(named) !== printKind(kind)) throw new PlainError(`converting (${types[0]}) to (${types[1]}): unknown conversion`);
  typed.delete('kind');
  typed.delete('apiVersion');
  return typed;
}

/** Returns the kind that an untyped object names; the decoder has checked that it names one. Source: apimachinery runtime Scheme.ObjectKinds. */
function namedKind(untyped: ValueMap): GroupVersionKind {
  const { group, version } = parseApiVersion(stringAt(untyped, 'apiVersion')) ?? { group: '', version: '' };
  if (version === '') throw new PlainError("Object 'apiVersion' is missing in 'unstructured object has no version'");
  return { group, version, kind: stringAt(untyped, 'kind') };
}

function restored(untyped: ValueMap, schema: StructSchema, kind: GroupVersionKind): ValueMap {
  try {
    return fromUnstructured(untyped, schema).value;
  } catch (error) {
    if (error instanceof PatchError) throw new PlainError(`unable to convert unstructured object to ${printKind(kind)}: ${error.message}`);
    throw error;
  }
}
