import type { Resource } from '../../kubernetes/resource-table.js';
import { commonStrategy } from './common-strategy.js';
import type { Strategy } from './strategy.js';

/** The strategy of a resource, or of one of its subresources. */
export function strategyFor(resource: Resource, subresource: string): Strategy {
  return commonStrategy(resource, subresource);
}
