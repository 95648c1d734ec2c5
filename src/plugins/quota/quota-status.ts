import { copyOf, mapAt, stringAt, type ValueMap } from '../../go/value.js';
import { addQuantities, parseQuantity, type QuantityLike } from '../../kubernetes/quantity.js';
import type { ResourceTable } from '../../kubernetes/resource-table.js';
import type { Storage } from '../../kubernetes/storage.js';
import { listedObjects } from '../objects/listed-objects.js';
import { amountsAt } from '../objects/pod-resources.js';
import { evaluatorOf, ignoredResources } from './evaluators.js';
import { usageTextOf } from './record-usage.js';
import { scopesOf } from './scopes.js';

/**
 * Returns a new quota with the status that the quota controller writes: its limits, and what the objects of the namespace use.
 * Source: kubernetes pkg/controller/resourcequota/resource_quota_controller.go.
 */
export function withQuotaStatus(quota: ValueMap, { storage, served, now }: QuotaPlace): ValueMap {
  const hard = mapAt(quota, 'spec', 'hard');
  if (hard === undefined) return quota;
  const used = new Map<string, QuantityLike>([...hard.keys()].map(name => [name, parseQuantity('0')]));
  for (const resource of served.resources.filter(({ namespaced }) => namespaced)) {
    const evaluator = evaluatorOf(resource, storage);
    if (![...hard.keys()].some(evaluator.counts) || ignoredResources.has(`${resource.resource}.${resource.group}`)) continue;
    for (const object of listedObjects({ storage }, resource.kind, stringAt(quota, 'metadata', 'namespace'))) {
      if (!scopesOf(quota).every(scope => evaluator.isInScope(scope, object, storage.server))) continue;
      for (const [name, amount] of evaluator.usage(object, now)) {
        const before = used.get(name);
        if (before !== undefined) used.set(name, addQuantities(before, amount));
      }
    }
  }
  const amounts = new Map([...used].map(([name, amount]) => [name, usageTextOf(amount)]));
  const limits = new Map([...amountsAt(quota, 'spec', 'hard')].map(([name, amount]) => [name, usageTextOf(amount)]));
  return new Map([...copyOf(quota), ['status', new Map([['hard', limits] as const, ['used', amounts] as const])] as const]);
}

/** Other objects of the cluster. */
export interface QuotaPlace {
  readonly storage: Storage;
  readonly served: ResourceTable;
  readonly now: Date;
}
