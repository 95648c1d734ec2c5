import { copyOf, ensureMap, isMap, mapAt, numberAt, stringAt, type ValueMap } from '../../go/value.js';
import { labelsOf, selectorOf, selects } from '../../kubernetes/label-selector.js';
import { StatusError } from '../../kubernetes/status.js';
import { forbidden, tooManyRequestsError, unknownError } from '../../kubernetes/status-errors.js';
import { optionsObject } from '../endpoints/request-options.js';
import type { ApiObject } from '../objects/api-object.js';
import { commitUpdate } from '../storage/commit.js';
import { deleteOne } from '../storage/deletion.js';
import { inRequestVersion } from '../storage/stored-object.js';
import type { CallContext } from './call-context.js';

const budgetKind = { group: 'policy', kind: 'PodDisruptionBudget' };

/** Deletes an evicted pod where its disruption budget allows it. Throws the 429. Source: kubernetes pkg/registry/core/pod/storage/eviction.go. */
export async function evictPod(pod: ValueMap, eviction: ApiObject, context: CallContext): Promise<void> {
  const { live } = context.state;
  if (live === undefined) return;
  if (!isExempt(pod)) {
    const budgets = context.storage.list(budgetKind, stringAt(pod, 'metadata', 'namespace')).filter(budget => protects(budget, pod));
    if (budgets.length > 1)
      throw unknownError('This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.');
    const [budget] = budgets;
    if (budget !== undefined) spend(budget, pod, context);
  }
  const given = mapAt(eviction.value, 'deleteOptions');
  const options = optionsObject(
    'DeleteOptions',
    [...(given ?? [])].filter(([key]) => key !== 'kind' && key !== 'apiVersion'),
  );
  const old = await inRequestVersion(pod, context);
  const nobody = { admit: async () => undefined, validate: async () => undefined };
  await deleteOne({ old, options, name: context.info.name, fillsOptions: true }, { ...context, chain: nobody });
}

/** Pods that have ended, have not started or are going already need no budget. */
function isExempt(pod: ValueMap): boolean {
  return (
    ['Succeeded', 'Failed', 'Pending'].includes(stringAt(pod, 'status', 'phase')) || stringAt(pod, 'metadata', 'deletionTimestamp') !== ''
  );
}

function protects(budget: ValueMap, pod: ValueMap): boolean {
  const selector = mapAt(budget, 'spec', 'selector');
  return isMap(selector) && selects(selectorOf(selector), labelsOf(pod));
}

const refused = "Cannot evict pod as it would violate the pod's disruption budget.";

/** Takes one disruption from a budget. */
function spend(budget: ValueMap, pod: ValueMap, context: CallContext): void {
  const name = stringAt(budget, 'metadata', 'name');
  const allowed = numberAt(budget, 'status', 'disruptionsAllowed');
  const resource = { group: 'policy', resource: 'poddisruptionbudget' };
  if (numberAt(budget, 'status', 'observedGeneration') < numberAt(budget, 'metadata', 'generation'))
    throw tooMany([{ reason: 'DisruptionBudget', message: `The disruption budget ${name} is still being processed by the server.` }], 10);
  if (allowed < 0n) throw forbidden(resource, name, 'pdb disruptions allowed is negative');
  if (allowed === 0n) {
    const [needed, has] = [numberAt(budget, 'status', 'desiredHealthy'), numberAt(budget, 'status', 'currentHealthy')];
    const message = `The disruption budget ${name} needs ${needed} healthy pods and has ${has} currently`;
    throw tooMany([{ reason: 'DisruptionBudget', message }], 0);
  }
  const changed = copyOf(budget);
  const status = ensureMap(changed, 'status');
  status.set('disruptionsAllowed', allowed - 1n);
  ensureMap(status, 'disruptedPods').set(stringAt(pod, 'metadata', 'name'), `${context.effects.now().toISOString().slice(0, 19)}Z`);
  commitUpdate(budget, context)?.(changed);
}

function tooMany(causes: readonly { readonly reason: string; readonly message: string }[], retryAfterSeconds: number): StatusError {
  const { status } = tooManyRequestsError('');
  return new StatusError({
    ...status,
    message: refused,
    details: { causes: [...causes], ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }) },
  });
}
