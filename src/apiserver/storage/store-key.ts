import { stringAt, type ValueMap } from '../../go/value.js';
import type { StoreContext } from './store-context.js';

/** Returns the key of an object below the prefix of the store: `/pods/NAMESPACE/NAME`. */
export function keyBelowPrefix(stored: ValueMap, { server, endpoint }: Pick<StoreContext, 'server' | 'endpoint'>): string {
  const namespace = endpoint.resource.namespaced ? `/${stringAt(stored, 'metadata', 'namespace')}` : '';
  return `/${server.storageFactory.prefixOf(endpoint.resource)}${namespace}/${stringAt(stored, 'metadata', 'name')}`;
}
