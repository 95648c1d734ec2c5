import type { CallContext, VerbAnswer } from '../../../../apiserver/call/call-context.js';
import { optionsObject } from '../../../../apiserver/call/request-options.js';
import type { Posted, RestStorage } from '../../../../apiserver/handlers/rest-storage.js';
import type { ApiObject } from '../../../../apiserver/objects/api-object.js';
import { commitUpdate } from '../../../../apiserver/storage/commit.js';
import { deleteOne } from '../../../../apiserver/storage/deletion.js';
import { decodeInRequestVersion } from '../../../../apiserver/storage/stored-object.js';
import { copyOf, ensureMap, mapAt, numberAt, stringAt, type ValueMap, valueAt } from '../../../../go/value.js';
import { invalidValue } from '../../../../kubernetes/field-error.js';
import { badRequest, invalid } from '../../../../kubernetes/status-errors.js';
import { budgetRefusal, budgetToSpend } from './disruption-budgets.js';
import { podAnswer, podNamed, validatePosted } from './posted-to-pod.js';

/** Evictions of pods. Source: kubernetes pkg/registry/core/pod/storage/eviction.go. */
export const podEviction: RestStorage = { create: evict };

const unsafeDelete = 'ignoreStoreReadErrorWithClusterBreakingPotential';

async function evict(object: ApiObject, { options }: Posted, context: CallContext): Promise<VerbAnswer> {
  if (stringAt(object.value, 'metadata', 'name') !== context.info.name)
    throw badRequest('name in URL does not match name in Eviction object');
  if (valueAt(object.value, 'deleteOptions', unsafeDelete) === true) {
    const message = 'can not be set for pod eviction, try after removing the option';
    throw invalid({ group: 'policy', kind: 'Eviction' }, context.info.name, [invalidValue(`deleteOptions.${unsafeDelete}`, true, message)]);
  }
  await validatePosted(object, options, context);
  const pod = podNamed(context.info.name, context);
  const refused = budgetRefusal(pod, context.storage);
  if (refused !== undefined) throw refused;
  const version = options.dryRun ? undefined : await evictPod(pod, object, context);
  return podAnswer(context.server, version ?? stringAt(pod, 'metadata', 'resourceVersion'));
}

/**
 * Deletes an evicted pod from a live storage, and takes a disruption from its budget. Returns the pod's resourceVersion after that. Source:
 * kubernetes pkg/registry/core/pod/storage/eviction.go.
 */
async function evictPod(pod: ValueMap, eviction: ApiObject, context: CallContext): Promise<string | undefined> {
  if (context.state.live === undefined) return undefined;
  const budget = budgetToSpend(pod, context.storage);
  if (budget !== undefined) spend(budget, pod, context);
  const given = mapAt(eviction.value, 'deleteOptions');
  const options = optionsObject(
    context.server,
    'DeleteOptions',
    [...(given ?? [])].filter(([key]) => key !== 'kind' && key !== 'apiVersion'),
  );
  const old = await decodeInRequestVersion(pod, context);
  const noAdmission = { admit: async () => undefined, validate: async () => undefined };
  const { object: left } = await deleteOne(
    { old, options, name: context.info.name, fillsOptions: true },
    { ...context, chain: noAdmission },
  );
  return stringAt(left, 'metadata', 'resourceVersion');
}

/** Takes one disruption from a budget. */
function spend(budget: ValueMap, pod: ValueMap, context: CallContext): void {
  const changed = copyOf(budget);
  const status = ensureMap(changed, 'status');
  status.set('disruptionsAllowed', numberAt(budget, 'status', 'disruptionsAllowed') - 1n);
  ensureMap(status, 'disruptedPods').set(stringAt(pod, 'metadata', 'name'), `${context.effects.now().toISOString().slice(0, 19)}Z`);
  commitUpdate(budget, context)?.(changed);
}
