import type { AdmissionContext } from '../../apiserver/admission/chain.js';
import { builtInCodec } from '../../apiserver/objects/built-in-codec.js';
import { builtInVersions } from '../../apiserver/patches/managed-fields/built-in-versions.js';
import { setManagedFields, updateManagedFields } from '../../apiserver/patches/managed-fields/field-manager.js';
import { copyOf, ensureMap, stringAt, type ValueMap } from '../../go/value.js';
import { addQuantities, parseQuantity, type QuantityLike, quantitySign, quantityText } from '../../kubernetes/quantity.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import { type Amounts, amountsAt } from '../pod-resources.js';

const kind = { group: '', version: 'v1', kind: 'ResourceQuota' };

/** Adds what an admitted object uses to the status of a quota in live storage. Source: apiserver admission/plugin/resourcequota/resource_access.go. */
export async function recordUsage(quota: ValueMap, charged: Amounts, { state, effects }: AdmissionContext): Promise<void> {
  const { live } = state;
  const hard = amountsAt(quota, 'status', 'hard');
  const changes = [...charged].filter(([name, amount]) => hard.has(name) && quantitySign(amount) !== 0);
  const codec = builtInCodec(kind);
  if (live === undefined || changes.length === 0 || codec === undefined) return;
  const changed = copyOf(quota);
  const used = ensureMap(ensureMap(changed, 'status'), 'used');
  const before = amountsAt(quota, 'status', 'used');
  for (const [name, amount] of changes) used.set(name, textOf(addQuantities(before.get(name) ?? '0', amount)));
  const change = {
    live: { codec, value: quota },
    object: { codec, value: changed },
    manager: 'kube-apiserver',
    now: timestampOf(effects.now()),
  };
  const fields = { kind, subresource: 'status', codec, versions: builtInVersions(kind), filter: <T>(set: T): T => set };
  setManagedFields(changed, await updateManagedFields(change, fields), 'raw');
  live.update(codec.toUnstructured(changed), stringAt(quota, 'metadata', 'resourceVersion'));
}

function textOf(amount: QuantityLike): string {
  return quantityText(typeof amount === 'string' ? parseQuantity(amount) : amount);
}
