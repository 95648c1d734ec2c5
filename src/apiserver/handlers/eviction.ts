import { copyOf, ensureMap, mapAt, numberAt, stringAt, type ValueMap } from '../../go/value.js';
import { optionsObject } from '../endpoints/request-options.js';
import type { ApiObject } from '../objects/api-object.js';
import { commitUpdate } from '../storage/commit.js';
import { deleteOne } from '../storage/deletion.js';
import { inRequestVersion } from '../storage/stored-object.js';
import type { CallContext } from './call-context.js';
import { budgetToSpend } from './disruption-budgets.js';

/** Deletes an evicted pod from a live storage, and takes a disruption from its budget. Source: kubernetes pkg/registry/core/pod/storage/eviction.go. */
export async function evictPod(pod: ValueMap, eviction: ApiObject, context: CallContext): Promise<void> {
  if (context.state.live === undefined) return;
  const budget = budgetToSpend(pod, context.storage);
  if (budget !== undefined) spend(budget, pod, context);
  const given = mapAt(eviction.value, 'deleteOptions');
  const options = optionsObject(
    context.server,
    'DeleteOptions',
    [...(given ?? [])].filter(([key]) => key !== 'kind' && key !== 'apiVersion'),
  );
  const old = await inRequestVersion(pod, context);
  const noAdmission = { admit: async () => undefined, validate: async () => undefined };
  await deleteOne({ old, options, name: context.info.name, fillsOptions: true }, { ...context, chain: noAdmission });
}

/** Takes one disruption from a budget. */
function spend(budget: ValueMap, pod: ValueMap, context: CallContext): void {
  const changed = copyOf(budget);
  const status = ensureMap(changed, 'status');
  status.set('disruptionsAllowed', numberAt(budget, 'status', 'disruptionsAllowed') - 1n);
  ensureMap(status, 'disruptedPods').set(stringAt(pod, 'metadata', 'name'), `${context.effects.now().toISOString().slice(0, 19)}Z`);
  commitUpdate(budget, context)?.(changed);
}
