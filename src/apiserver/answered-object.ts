import { apiVersionOf } from '../kubernetes/group-version.js';
import { listAt, stringAt, type ValueMap, valueAt } from '../kubernetes/value.js';
import { codecFor } from './codec-for.js';
import type { ApiObject } from './objects/api-object.js';
import type { Codec } from './objects/codec.js';
import { isCustomCodec } from './objects/custom/custom-codec.js';

/**
 * The object as the client gets it back from storage, defaults given again on the way; a custom resource is pruned there
 * too, in the version it is stored in.
 */
export function answeredObject({ codec, value }: ApiObject, definition: ValueMap | undefined): string {
  const text = codec.encode(value);
  if (!isCustomCodec(codec) || definition === undefined) return builtInAnswer(text, codec);
  const storage = codecFor({ ...codec.kind, version: storageVersion(definition) }, definition);
  const read = storage.decode(text);
  storage.applyDefaults(read.value);
  return codec.encode(read.value.set('apiVersion', apiVersionOf(codec.kind)));
}

function builtInAnswer(text: string, codec: Codec): string {
  const { value } = codec.decode(text);
  codec.applyDefaults(value);
  return codec.encode(value);
}

function storageVersion(definition: ValueMap): string {
  const versions = listAt(definition, 'spec', 'versions');
  return stringAt(versions.find(v => valueAt(v, 'storage') === true) ?? versions[0], 'name');
}
