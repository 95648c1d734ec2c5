import { copyOf, ensureMap, mapAt, type ValueMap } from '../../go/value.js';
import type { ApiObject } from '../objects/api-object.js';
import { isCustomCodec } from '../objects/custom/custom-codec.js';
import { storedValue } from '../objects/stored-value.js';
import { strategyFor } from '../registry/strategy-for.js';
import { type Commit, storedForm } from '../storage/commit.js';
import { throughStorage } from '../storage/custom-storage.js';
import type { CallContext } from './call-context.js';

/** What kind of write it was. */
export interface Write {
  readonly dryRun: boolean;
  readonly isUpdate: boolean;
  /** Sees a custom resource as storage gets it; what it throws ends the write. */
  readonly onStored?: (stored: ValueMap) => void;
  /** Keeps the object; absent where nothing is kept. */
  readonly commit?: Commit | undefined;
}

/**
 * The object as the client gets it back from storage, defaults given again on the way; a custom resource is converted and
 * pruned there too. In a dry run of an update the resourceVersion goes along. It is given on demand: nothing changes the object
 * after its write, and the way back of a built-in one, which never fails, is only gone when somebody looks at the answer.
 */
export async function answeredFromStorage({ codec, value }: ApiObject, write: Write, context: CallContext): Promise<() => ApiObject> {
  const { custom, definition, endpoint, info } = context;
  // Storage keeps no self links.
  if (!write.dryRun) mapAt(value, 'metadata')?.delete('selfLink');
  if (custom !== undefined && isCustomCodec(codec)) {
    const onStored = (stored: ValueMap): string | undefined => {
      write.onStored?.(stored);
      return write.commit?.(copyOf(stored));
    };
    const kept = { keepsResourceVersion: write.dryRun && write.isUpdate, onStored };
    const answered = await throughStorage({ codec, value }, custom, kept);
    return () => ({ codec, value: answered });
  }
  const now = context.effects.now();
  const version = write.commit?.(storedForm({ codec, value }));
  if (version !== undefined) ensureMap(value, 'metadata').set('resourceVersion', version);
  return () => {
    const stored = storedValue(value, codec);
    codec.applyDefaults(stored, now);
    strategyFor(endpoint.resource, info.subresource, definition).decorate?.(stored);
    return { codec, value: stored };
  };
}
