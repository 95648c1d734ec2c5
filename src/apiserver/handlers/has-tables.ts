import type { ApiServer } from '../../kubernetes/api-server.js';
import type { ServedEndpoint } from '../call/served-resources.js';
import { kindDefinitionOf } from '../registry/kind-definition.js';
import { restStorageOf } from './rest-storage.js';

/**
 * Reports whether the storage of an endpoint makes Tables: not of what is only posted, and of few subresources. Source: apiserver registry/rest
 * TableConvertor, and the storages in kubernetes pkg/registry that do not implement it.
 */
export function hasTables(server: ApiServer, { resource, subresource }: Pick<ServedEndpoint, 'resource' | 'subresource'>): boolean {
  const name = subresource?.name ?? '';
  if (restStorageOf(server, resource, name)?.create !== undefined) return false;
  if (name === 'status') return kindDefinitionOf(server, resource).hasNoStatusTables !== true;
  return name === '' || server.partStorageNamed(name) !== undefined;
}
