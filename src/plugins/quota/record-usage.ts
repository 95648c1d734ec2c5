import type { AdmissionContext } from '../../apiserver/admission/chain.js';
import { builtInCodec } from '../../apiserver/objects/built-in-codec.js';
import { builtInVersions } from '../../apiserver/patches/managed-fields/built-in-versions.js';
import { setManagedFields, updateManagedFields } from '../../apiserver/patches/managed-fields/field-manager.js';
import { copyOf, ensureMap, stringAt, type ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { addQuantities, parseQuantity, type QuantityLike, quantitySign, quantityText } from '../../kubernetes/quantity.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import { type Amounts, amountsAt } from '../objects/pod-resources.js';

const kind = { group: '', version: 'v1', kind: 'ResourceQuota' };

/**
 * Adds what an admitted object uses to the status of a quota: in live storage, or for later calls of the same run.
 * Source: apiserver admission/plugin/resourcequota/resource_access.go.
 */
export async function recordUsage(quota: ValueMap, charged: Amounts, context: AdmissionContext): Promise<void> {
  const hard = amountsAt(quota, 'status', 'hard');
  const changes = [...charged].filter(([name, amount]) => hard.has(name) && quantitySign(amount) !== 0);
  if (changes.length === 0) return;
  const { live } = context.state;
  if (live !== undefined) return updateLive(context.server, live, { quota, changes, now: context.effects.now() });
  const stored = context.storage.find(kind, stringAt(quota, 'metadata', 'namespace'), stringAt(quota, 'metadata', 'name'));
  if (stored !== undefined) context.record.sideWrites.push(withUsage(stored, amountsAt(quota, 'status', 'used'), changes));
}

interface Usage {
  readonly quota: ValueMap;
  readonly changes: readonly (readonly [string, QuantityLike])[];
  readonly now: Date;
}

async function updateLive(server: ApiServer, live: NonNullable<ClusterState['live']>, { quota, changes, now }: Usage): Promise<void> {
  const codec = builtInCodec(server, kind);
  if (codec === undefined) return;
  const changed = withUsage(quota, amountsAt(quota, 'status', 'used'), changes);
  const change = { live: { codec, value: quota }, object: { codec, value: changed }, manager: 'kube-apiserver', now: timestampOf(now) };
  const fields = {
    kind,
    subresource: 'status',
    codec,
    versions: builtInVersions(server, kind, [{ group: '', versions: ['v1'] }]),
    filter: <T>(set: T): T => set,
  };
  setManagedFields(changed, await updateManagedFields(change, fields), 'raw');
  live.update(codec.toUnstructured(changed), stringAt(quota, 'metadata', 'resourceVersion'));
}

function withUsage(quota: ValueMap, before: Amounts, changes: Usage['changes']): ValueMap {
  const changed = copyOf(quota);
  const used = ensureMap(ensureMap(changed, 'status'), 'used');
  for (const [name, amount] of changes) used.set(name, usageTextOf(addQuantities(before.get(name) ?? '0', amount)));
  return changed;
}

/** Returns the text of an amount as the API server writes it. */
export function usageTextOf(amount: QuantityLike): string {
  return quantityText(typeof amount === 'string' ? parseQuantity(amount) : amount);
}
