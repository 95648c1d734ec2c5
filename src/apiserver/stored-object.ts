import { writeValue } from '../encoding/go-json.js';
import { apiVersionOf, sameGroupVersion } from '../kubernetes/group-version.js';
import { kindOf } from '../kubernetes/storage.js';
import type { ValueMap } from '../kubernetes/value.js';
import { NotReproduced } from './admission/not-reproduced.js';
import type { CallContext } from './call-context.js';
import type { ApiObject } from './objects/api-object.js';
import { builtInCodec } from './objects/built-in-codec.js';
import { customCodec, isCustomCodec } from './objects/custom/custom-codec.js';

/** The stored object of the URL in the URL's version; undefined when there is none. */
export async function storedObject(context: CallContext): Promise<ApiObject | undefined> {
  const { endpoint, info, storage } = context;
  const namespace = endpoint.resource.namespaced ? info.namespace : '';
  const found = storage.find(endpoint.resource.kind, namespace, info.name);
  return found === undefined ? undefined : inRequestVersion(found, context);
}

/** An object of the state as the URL's version shows it, defaults included. */
export async function inRequestVersion(found: ValueMap, context: CallContext): Promise<ApiObject> {
  const { codec } = context;
  const kind = kindOf(found);
  const own = sameGroupVersion(kind, codec.kind)
    ? codec
    : context.definition === undefined
      ? builtInCodec(kind)
      : customCodec(kind, context.definition);
  if (own === undefined)
    throw new NotReproduced(`the stored object is a ${kind.kind} of ${apiVersionOf(kind)}, which no table of types holds`);
  const { value } = own.decode(writeValue(found, 'kept'));
  // A custom resource was given its defaults when it was read; a built-in one may come from a manifest.
  if (!isCustomCodec(own)) own.applyDefaults(value);
  value.set('kind', kind.kind);
  value.set('apiVersion', apiVersionOf(kind));
  const object = { codec: own, value };
  return own === codec ? object : context.admission.convert(object, codec.kind);
}
