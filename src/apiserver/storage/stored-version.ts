import { listAt, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { kindOf, type Storage } from '../../kubernetes/storage.js';

/**
 * Returns a function that returns the version in which a custom resource of the state is stored; undefined if it is unknown. It is the
 * object's own version if that is the storage version. A version that the definition's status does not list as stored is only shown: the
 * object is stored in the storage version. Other versions are the object's own in live storage, or if the definition uses a conversion
 * webhook, or if the state has objects in several versions, which cannot come from a single list.
 */
export function storedVersionIn(
  definition: ValueMap,
  { live }: Pick<ClusterState, 'live'>,
  storage: Storage,
): (stored: ValueMap) => string | undefined {
  const storageVersion = stringAt(
    listAt(definition, 'spec', 'versions').find(version => valueAt(version, 'storage') === true),
    'name',
  );
  const storedVersions = listAt(definition, 'status', 'storedVersions');
  const isAlwaysOwn = live !== undefined || stringAt(definition, 'spec', 'conversion', 'strategy') === 'Webhook';
  return stored => {
    const kind = kindOf(stored);
    if (storedVersions.length > 0 && !storedVersions.includes(kind.version)) return storageVersion;
    const isOwn =
      isAlwaysOwn || kind.version === storageVersion || storage.list(kind).some(other => kindOf(other).version !== kind.version);
    return isOwn ? kind.version : undefined;
  };
}
