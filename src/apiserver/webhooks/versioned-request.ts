import { copyOf, stringAt } from '../../go/value.js';
import { apiVersionOf, type GroupVersionKind, printKind, sameGroupVersion } from '../../kubernetes/group-version.js';
import { PlainError } from '../../kubernetes/status.js';
import { internalError } from '../../kubernetes/status-errors.js';
import type { Attributes } from '../admission/attributes.js';
import type { AdmissionContext } from '../admission/chain.js';
import type { ApiObject } from '../objects/api-object.js';
import type { Codec } from '../objects/codec.js';
import { isCustomCodec } from '../objects/custom-codec.js';

/** Objects for the webhook: in the version its rule matched. Unchanged: after a patch there are others. */
export interface VersionedObjects {
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
}

/** Objects in the chain of mutating webhooks: in the version of the webhook that was called last. */
export interface VersionedRequest {
  /** Returns the objects in the version of a kind; throws the API server's error when they cannot be converted. */
  objectsIn(kind: GroupVersionKind): Promise<VersionedObjects>;
  /** Replaces the current object by a patched one. */
  replace(object: ApiObject): void;
  /** Returns the request with the objects as converted and patched so far, by which webhooks are selected. */
  attributes(): Attributes;
  /** Converts the patched object back to the request's version. */
  finish(): Promise<void>;
}

/**
 * Every other version is converted from the request's own objects, to which a patched object is converted back before. Source: apiserver
 * admission/conversion.go, plugin/webhook/mutating/dispatcher.go.
 */
export function versionedRequest(attributes: Attributes, context: AdmissionContext): VersionedRequest {
  let current: (VersionedObjects & { readonly kind: GroupVersionKind; readonly isDirty: boolean }) | undefined;
  const takeBack = async (): Promise<void> => {
    const own = attributes.object;
    if (current?.isDirty !== true || current.object === undefined || own === undefined) return;
    const held = { codec: own.codec, value: copyOf(own.value) };
    overwrite(own, await context.toRequestVersion(current.object, held));
  };
  return {
    objectsIn: async kind => {
      if (current !== undefined && printKind(current.kind) === printKind(kind)) return current;
      const oldObject = await convertToGvk(attributes.oldObject, kind, context);
      await rejectAsInternalError(takeBack());
      current = { object: await convertToGvk(attributes.object, kind, context), oldObject, kind, isDirty: false };
      return current;
    },
    replace: object => {
      if (current !== undefined) current = { ...current, object, isDirty: true };
    },
    attributes: () => {
      const { object, oldObject } = current ?? attributes;
      // Facts about a request are memoized by its identity.
      return object === attributes.object && oldObject === attributes.oldObject ? attributes : { ...attributes, object, oldObject };
    },
    finish: takeBack,
  };
}

/** Returns the converter of the request's objects to the versions of validating webhooks: each version is converted once. */
export function versionedObjects(attributes: Attributes, context: AdmissionContext): (kind: GroupVersionKind) => Promise<VersionedObjects> {
  const known = new Map<string, VersionedObjects>();
  return async kind => {
    const name = printKind(kind);
    const found = known.get(name);
    if (found !== undefined) return found;
    const oldObject = await convertToGvk(attributes.oldObject, kind, context);
    const objects = { object: await convertToGvk(attributes.object, kind, context), oldObject };
    known.set(name, objects);
    return objects;
  };
}

/** Source: apiserver admission/conversion.go ConvertToGVK. */
async function convertToGvk(
  object: ApiObject | undefined,
  kind: GroupVersionKind,
  context: AdmissionContext,
): Promise<ApiObject | undefined> {
  if (object === undefined) return undefined;
  const { codec, value } = object;
  if (!isCustomCodec(codec) && codec.patched === undefined)
    return sameGroupVersion(codec.kind, kind) ? object : context.convert(object, kind);
  const isOwn = stringAt(value, 'apiVersion') === apiVersionOf(kind) && stringAt(value, 'kind') === kind.kind;
  if (codec.patched !== undefined) return isOwn ? object : untyped(object, codec.patched);
  return isOwn ? object : renamed(await context.convert(object, kind), kind);
}

/** Returns the Scale of a custom resource that has no type, because the client or the patches of the first pass gave it none. */
function untyped({ codec, value }: ApiObject, patched: Codec): ApiObject {
  return renamed({ codec: patched, value: codec.toUnstructured(value) }, codec.kind);
}

/** Sets the kind after a conversion, as Go does: a converter keeps the kind that a patch named. */
function renamed({ codec, value }: ApiObject, kind: GroupVersionKind): ApiObject {
  return { codec, value: copyOf(value).set('apiVersion', apiVersionOf(kind)).set('kind', kind.kind) };
}

/** Throws an internal error when the object cannot be converted back to the request's version. */
async function rejectAsInternalError(step: Promise<void>): Promise<void> {
  try {
    await step;
  } catch (error) {
    throw error instanceof PlainError ? internalError(error.message) : error;
  }
}

function overwrite(target: ApiObject, source: ApiObject): void {
  if (target.value === source.value) return;
  const entries = [...source.value];
  target.value.clear();
  for (const [key, value] of entries) target.value.set(key, value);
}
