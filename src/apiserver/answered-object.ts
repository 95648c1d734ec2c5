import type { CallContext } from './call-context.js';
import { throughStorage } from './custom-storage.js';
import type { ApiObject } from './objects/api-object.js';
import type { Codec } from './objects/codec.js';
import { isCustomCodec } from './objects/custom/custom-codec.js';

/** What kind of write it was. */
export interface Write {
  readonly dryRun: boolean;
  readonly isUpdate: boolean;
}

/**
 * The object as the client gets it back from storage, defaults given again on the way; a custom resource is converted and
 * pruned there too. In a dry run of an update the resourceVersion goes along.
 */
export async function answeredFromStorage({ codec, value }: ApiObject, write: Write, { custom }: CallContext): Promise<string> {
  if (custom !== undefined && isCustomCodec(codec)) return throughStorage({ codec, value }, custom, write.dryRun && write.isUpdate);
  const text = codec.encode(value);
  return write.dryRun ? text : withDefaults(text, codec);
}

function withDefaults(text: string, codec: Codec): string {
  const { value } = codec.decode(text);
  codec.applyDefaults(value);
  return codec.encode(value);
}
