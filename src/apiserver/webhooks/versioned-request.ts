import { copyOf, stringAt } from '../../go/value.js';
import { apiVersionOf, type GroupVersionKind, parseApiVersion, sameGroupVersion } from '../../kubernetes/group-version.js';
import type { Attributes } from '../admission/attributes.js';
import type { AdmissionContext } from '../admission/chain.js';
import type { ApiObject } from '../objects/api-object.js';
import { isCustomCodec } from '../objects/custom/custom-codec.js';
import type { VersionedObjects } from './invoke.js';

/** Object in the chain of mutating webhooks: one copy, converted when the next webhook needs another version. */
export interface VersionedRequest {
  /** Returns the objects in the version of a kind; throws the API server's error when they cannot be converted. */
  objectsIn(kind: GroupVersionKind): Promise<VersionedObjects>;
  /** Replaces the current object by a patched one. */
  replace(object: ApiObject): void;
  /** Converts the patched object back to the request's version. */
  finish(): Promise<void>;
}

/** Source: apiserver plugin/webhook/generic/conversion.go, mutating/dispatcher.go. */
export function versionedRequest(attributes: Attributes, context: AdmissionContext): VersionedRequest {
  const own = attributes.object;
  let current = own;
  let old = attributes.oldObject;
  let isFirst = true;
  let held: ApiObject | undefined;
  const inVersion = async (object: ApiObject | undefined, kind: GroupVersionKind): Promise<ApiObject | undefined> => {
    if (object === undefined || (sameGroupVersion(object.codec.kind, kind) && !isOfOtherGroup(object))) return object;
    return isCustomCodec(object.codec) ? renamed(await context.convert(object, kind), kind) : context.convert(object, kind);
  };
  return {
    objectsIn: async kind => {
      // The first webhook's conversion starts with the old object, later ones with the new one.
      if (isFirst) {
        isFirst = false;
        old = await inVersion(old, kind);
        const converted = await inVersion(current, kind);
        current = converted && asKind(converted, kind);
      }
      current = await inVersion(current, kind);
      old = await inVersion(old, kind);
      return { object: current, oldObject: old };
    },
    replace: object => {
      current = object;
      held ??= own && { codec: own.codec, value: copyOf(own.value) };
      // The following webhooks' selectors use the request's own object.
      if (own !== undefined && sameGroupVersion(object.codec.kind, own.codec.kind)) overwrite(own, object);
    },
    finish: async () => {
      if (held !== undefined && own !== undefined && current !== undefined) overwrite(own, await context.toRequestVersion(current, held));
    },
  };
}

/** Reports whether a patch changed a custom resource's group, from which no conversion is possible. */
function isOfOtherGroup({ codec, value }: ApiObject): boolean {
  return isCustomCodec(codec) && parseApiVersion(stringAt(value, 'apiVersion'))?.group !== codec.kind.group;
}

/** Returns a custom resource of another kind than its endpoint's with the endpoint's kind, which Go sets after each conversion. */
function asKind(object: ApiObject, kind: GroupVersionKind): ApiObject {
  const isOther = isCustomCodec(object.codec) && stringAt(object.value, 'kind') !== kind.kind;
  return isOther ? renamed({ codec: object.codec, value: copyOf(object.value) }, object.codec.kind) : object;
}

function renamed(object: ApiObject, kind: GroupVersionKind): ApiObject {
  object.value.set('apiVersion', apiVersionOf(kind)).set('kind', kind.kind);
  return object;
}

function overwrite(target: ApiObject, source: ApiObject): void {
  if (target.value === source.value) return;
  const entries = [...source.value];
  target.value.clear();
  for (const [key, value] of entries) target.value.set(key, value);
}
