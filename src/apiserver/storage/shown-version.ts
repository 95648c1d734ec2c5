import { listAt, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import { kindOf, type Storage } from '../../kubernetes/storage.js';

/**
 * Returns a predicate: whether a custom resource of the state is stored in its own version. True for the storage version. For other
 * versions it is true if the definition uses a conversion webhook, or if the state has objects in several versions, which cannot come from
 * a single list.
 */
export function isStoredAsShown(definition: ValueMap, storage: Storage): (stored: ValueMap) => boolean {
  const stores = listAt(definition, 'spec', 'versions').find(version => valueAt(version, 'storage') === true);
  const converts = stringAt(definition, 'spec', 'conversion', 'strategy') === 'Webhook';
  return stored => {
    const kind = kindOf(stored);
    if (converts || kind.version === stringAt(stores, 'name')) return true;
    return storage.list(kind).some(other => kindOf(other).version !== kind.version);
  };
}
