import { stringAt } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { parseApiVersion } from '../../kubernetes/group-version.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import type { ApiObject } from '../objects/api-object.js';
import { kindDefinitionOf } from './kind-definition.js';

/**
 * Returns the kind that validation errors name: the internal type's, which for events is the core group's. A custom resource has its own.
 */
export function kindInErrors(
  server: ApiServer,
  { value }: ApiObject,
  resource: Resource,
): { readonly group: string; readonly kind: string } {
  const { kind, custom } = resource;
  if (!custom) return kindDefinitionOf(server, resource).kindInErrors ?? { group: kind.group, kind: kind.kind };
  const { group } = parseApiVersion(stringAt(value, 'apiVersion')) ?? kind;
  return { group, kind: stringAt(value, 'kind') };
}
