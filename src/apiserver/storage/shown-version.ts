import { listAt, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import { kindOf, type Storage } from '../../kubernetes/storage.js';

/**
 * Tells whether custom resources of the state lie in storage in the version they are shown in. Those in the storage version do. In an older
 * one they do when the definition converts by webhook or the state holds objects of several versions, which no single list of a server
 * would show.
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
