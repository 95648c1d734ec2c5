import type { AdmissionContext } from '../../apiserver/admission/chain.js';
import { copyOf, ensureMap, stringAt, type ValueMap } from '../../go/value.js';
import { addQuantities, parseQuantity, type QuantityLike, quantitySign, quantityText } from '../../kubernetes/quantity.js';
import { type Amounts, amountsAt } from '../pod-resources.js';

/**
 * Records what an admitted object uses in the status of a quota, for later calls of the same run.
 * Source: apiserver admission/plugin/resourcequota/resource_access.go.
 */
export function recordUsage(quota: ValueMap, charged: Amounts, { storage, record }: AdmissionContext): void {
  const hard = amountsAt(quota, 'status', 'hard');
  const changes = [...charged].filter(([name, amount]) => hard.has(name) && quantitySign(amount) !== 0);
  const metadata = [stringAt(quota, 'metadata', 'namespace'), stringAt(quota, 'metadata', 'name')] as const;
  const stored = storage.find({ group: '', kind: 'ResourceQuota' }, ...metadata);
  if (stored === undefined || changes.length === 0) return;
  const changed = copyOf(stored);
  const used = ensureMap(ensureMap(changed, 'status'), 'used');
  const before = amountsAt(quota, 'status', 'used');
  for (const [name, amount] of changes) used.set(name, textOf(addQuantities(before.get(name) ?? '0', amount)));
  record.sideWrites.push(changed);
}

/** Returns the text of an amount as the API server writes it. */
export function textOf(amount: QuantityLike): string {
  return quantityText(typeof amount === 'string' ? parseQuantity(amount) : amount);
}
