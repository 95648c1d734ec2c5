import type { ApiObject } from './objects/api-object.js';
import { isCustomCodec } from './objects/custom/custom-codec.js';

/** The object as the client gets it back from storage: a custom resource is pruned and defaulted on the way. */
export function answeredObject({ codec, value }: ApiObject): string {
  const text = codec.encode(value);
  if (!isCustomCodec(codec)) return text;
  const read = codec.decode(text);
  codec.applyDefaults(read.value);
  return codec.encode(read.value);
}
