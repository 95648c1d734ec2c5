import { copyOf, stringAt } from '../../go/value.js';
import { apiVersionOf, type GroupVersionKind, parseApiVersion, sameGroupVersion } from '../../kubernetes/group-version.js';
import type { Attributes } from '../admission/attributes.js';
import type { AdmissionContext } from '../admission/chain.js';
import type { ApiObject } from '../objects/api-object.js';
import { isCustomCodec } from '../objects/custom/custom-codec.js';
import type { VersionedObjects } from './invoke.js';

/** The object along the chain of mutating webhooks: one copy, converted when the next webhook wants another version. */
export interface VersionedRequest {
  /** The objects in the version of a kind; throws what the API server answers when they cannot be converted. */
  objectsIn(kind: GroupVersionKind): Promise<VersionedObjects>;
  /** Puts a patched object in place of the current one. */
  replace(object: ApiObject): void;
  /** Takes the patched object back into the request's own version. */
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
      // The first webhook's conversion begins with the old object, the later ones' with the new one.
      if (isFirst) {
        old = await inVersion(old, kind);
        current = current && asKind(current, kind);
      }
      isFirst = false;
      current = await inVersion(current, kind);
      old = await inVersion(old, kind);
      return { object: current, oldObject: old };
    },
    replace: object => {
      current = object;
      held ??= own && { codec: own.codec, value: copyOf(own.value) };
      // The selectors of the webhooks that follow look at the request's own object.
      if (own !== undefined && sameGroupVersion(object.codec.kind, own.codec.kind)) overwrite(own, object);
    },
    finish: async () => {
      if (held !== undefined && own !== undefined && current !== undefined) overwrite(own, await context.toRequestVersion(current, held));
    },
  };
}

/** Reports whether a patch put a custom resource into another group, which no conversion leads out of. */
function isOfOtherGroup({ codec, value }: ApiObject): boolean {
  return isCustomCodec(codec) && parseApiVersion(stringAt(value, 'apiVersion'))?.group !== codec.kind.group;
}

/** Returns a custom resource that calls itself another kind is shown as the kind of its endpoint. */
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
