import type { ValueMap } from '../../go/value.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import { commonStrategy } from './common-strategy.js';
import { customStrategy } from './custom-strategy.js';
import { withoutDisabledFields } from './disabled-fields.js';
import { kindDefinitionOf } from './kind-definition.js';
import type { Strategy } from './strategy.js';

/** Returns the strategy of a resource or of one of its subresources; custom resources need their definition. */
export function strategyFor(resource: Resource, subresource: string, definition?: ValueMap): Strategy {
  if (definition !== undefined) return customStrategy(resource, subresource, definition);
  const kind = kindDefinitionOf(resource);
  const base = commonStrategy(resource, subresource);
  return withoutDisabledFields(kind.refine?.(base) ?? base, kind);
}
