import type { CallContext, VerbAnswer } from '../../../../apiserver/call/call-context.js';
import { optionsObject } from '../../../../apiserver/call/request-options.js';
import type { Posted, RestStorage } from '../../../../apiserver/handlers/rest-storage.js';
import type { ApiObject } from '../../../../apiserver/objects/api-object.js';
import { checkPreconditions, isDryRunOf } from '../../../../apiserver/storage/before-delete.js';
import { commitUpdate } from '../../../../apiserver/storage/commit.js';
import { deleteOne } from '../../../../apiserver/storage/deletion.js';
import { decodeInRequestVersion } from '../../../../apiserver/storage/stored-object.js';
import { copyOf, ensureMap, mapAt, numberAt, sameValue, stringAt, type ValueMap, valueAt } from '../../../../go/value.js';
import { invalidValue } from '../../../../kubernetes/field-error.js';
import { badRequest, invalid } from '../../../../kubernetes/status-errors.js';
import { budgetRefusal, budgetToSpend } from './disruption-budgets.js';
import { podAnswer, podNamed, validatePosted } from './posted-to-pod.js';
import { setCondition } from './set-condition.js';

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
  const deletion = deletionOptions(object, context);
  const isDeleted = context.state.live !== undefined && !options.dryRun && !isDryRunOf(deletion);
  if (!isDeleted) checkPreconditions(deletion, await decodeInRequestVersion(pod, context), context);
  const version = isDeleted ? await evictPod(pod, deletion, context) : undefined;
  return podAnswer(context.server, version ?? stringAt(pod, 'metadata', 'resourceVersion'));
}

function deletionOptions(eviction: ApiObject, { server }: CallContext): ApiObject {
  const given = mapAt(eviction.value, 'deleteOptions') ?? new Map();
  return optionsObject(
    server,
    'DeleteOptions',
    [...given].filter(([key]) => key !== 'kind' && key !== 'apiVersion'),
  );
}

/**
 * Deletes an evicted pod from a live storage, and takes a disruption from its budget. Returns the pod's resourceVersion after that. Source:
 * kubernetes pkg/registry/core/pod/storage/eviction.go.
 */
async function evictPod(pod: ValueMap, options: ApiObject, context: CallContext): Promise<string> {
  const budget = budgetToSpend(pod, context.storage);
  if (budget !== undefined) spend(budget, pod, context);
  const old = await markAsDisrupted(pod, options, context);
  const noAdmission = { admit: async () => undefined, validate: async () => undefined };
  const { object: left } = await deleteOne(
    { old, options, name: context.info.name, fillsOptions: true },
    { ...context, chain: noAdmission },
  );
  return stringAt(left, 'metadata', 'resourceVersion');
}

/**
 * Gives an evicted pod the condition that names the eviction, and returns it as stored then. The preconditions of the deletion are those of the pod
 * before: a resourceVersion among them becomes the new one. Source: the same, addConditionAndDeletePod.
 */
async function markAsDisrupted(pod: ValueMap, options: ApiObject, context: CallContext): Promise<ApiObject> {
  const found = await decodeInRequestVersion(pod, context);
  checkPreconditions(options, found, context);
  const changed = copyOf(pod);
  setCondition(changed, disruptionTarget, context.effects.now());
  if (sameValue(changed, pod)) return found;
  commitUpdate(pod, context)?.(changed);
  const old = await decodeInRequestVersion(podNamed(context.info.name, context), context);
  const preconditions = mapAt(options.value, 'preconditions');
  if (preconditions?.has('resourceVersion') === true)
    preconditions.set('resourceVersion', stringAt(old.value, 'metadata', 'resourceVersion'));
  return old;
}

const disruptionTarget = {
  type: 'DisruptionTarget',
  status: 'True',
  lastProbeTime: null,
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
};

/** Takes one disruption from a budget. */
function spend(budget: ValueMap, pod: ValueMap, context: CallContext): void {
  const changed = copyOf(budget);
  const status = ensureMap(changed, 'status');
  const left = numberAt(budget, 'status', 'disruptionsAllowed') - 1n;
  status.set('disruptionsAllowed', left);
  if (left === 0n) forbidDisruptions(changed, context.effects.now());
  ensureMap(status, 'disruptedPods').set(stringAt(pod, 'metadata', 'name'), `${context.effects.now().toISOString().slice(0, 19)}Z`);
  commitUpdate(budget, context)?.(changed);
}

/** Source: kubernetes pkg/registry/core/pod/storage/eviction.go checkAndDecrement. */
function forbidDisruptions(budget: ValueMap, now: Date): void {
  const observedGeneration = numberAt(budget, 'status', 'observedGeneration');
  const generation = observedGeneration === 0n ? {} : { observedGeneration };
  setCondition(budget, { type: 'DisruptionAllowed', status: 'False', ...generation, reason: 'InsufficientPods', message: '' }, now);
}
