import { apiVersionOf } from '../kubernetes/group-version.js';
import { copyOf, listAt, mapAt, stringAt, valueAt } from '../kubernetes/value.js';
import type { CallContext } from './call-context.js';
import { ConversionError } from './conversion/conversion-error.js';
import { storageVersion } from './custom-storage.js';
import type { ApiObject } from './objects/api-object.js';

/**
 * The watch caches of all versions that a definition serves take in what was created or deleted, each in its own version: the conversion
 * webhook is asked once more for each. Not reproduced are updates, and calls in another version than the stored one, where these conversions
 * and those of the call itself come in any order. Source: apiserver storage/cacher, storage/etcd3/watcher.go.
 */
export async function fillWatchCaches({ codec, value }: ApiObject, { custom, state }: CallContext): Promise<void> {
  if (custom === undefined || state.flags.includes('--watch-cache=false')) return;
  const { definition, convert } = custom;
  const stored = storageVersion(definition);
  if (codec.kind.version !== stored || stringAt(definition, 'spec', 'conversion', 'strategy') !== 'Webhook') return;
  const object = copyOf(value);
  mapAt(object, 'metadata')?.delete('resourceVersion');
  for (const entry of listAt(definition, 'spec', 'versions')) {
    const version = stringAt(entry, 'name');
    if (valueAt(entry, 'served') !== true || version === stored) continue;
    try {
      await convert(object, apiVersionOf({ group: codec.kind.group, version }));
    } catch (error) {
      // That a cache stays empty does not concern the call.
      if (!(error instanceof ConversionError)) throw error;
    }
  }
}
