import { listAt, mapAt, stringAt, type ValueMap, valueAt } from '../../../../go/value.js';
import type { ApiServer } from '../../../../kubernetes/api-server.js';
import { labelsOf, SelectorError, selectorOf, selects } from '../../../../kubernetes/label-selector.js';
import type { StatusError } from '../../../../kubernetes/status.js';
import { failure, forbidden, retryAfter } from '../../../../kubernetes/status-errors.js';
import type { Storage } from '../../../../kubernetes/storage.js';

/** Returns the budget that the eviction of a pod takes a disruption from; undefined for pods that need none. */
export function budgetToSpend(pod: ValueMap, storage: Storage): ValueMap | undefined {
  if (isPastBudgets(pod)) return undefined;
  const [budget] = budgetsOf(pod, storage);
  return budget === undefined || (!isReady(pod) && passesUnready(budget)) ? undefined : budget;
}

/**
 * Returns the error of disruption budgets for an eviction; undefined if they allow it. Source: kubernetes
 * pkg/registry/core/pod/storage/eviction.go.
 */
export function budgetRefusal(pod: ValueMap, storage: Storage): StatusError | undefined {
  if (isPastBudgets(pod)) return undefined;
  const budgets = budgetsOf(pod, storage);
  const [budget] = budgets;
  if (budgets.length > 1)
    return failure({
      code: 500,
      message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    });
  if (budget === undefined || (!isReady(pod) && passesUnready(budget))) return undefined;
  return refusalOf(storage.server, budget);
}

function isPastBudgets(pod: ValueMap): boolean {
  const phase = stringAt(pod, 'status', 'phase');
  return ['Succeeded', 'Failed', 'Pending'].includes(phase) || valueAt(pod, 'metadata', 'deletionTimestamp') !== undefined;
}

function budgetsOf(pod: ValueMap, storage: Storage): ValueMap[] {
  const labels = labelsOf(pod);
  if (labels.size === 0) return [];
  const all = storage.list({ group: 'policy', kind: 'PodDisruptionBudget' }, stringAt(pod, 'metadata', 'namespace'));
  return all.filter(budget => {
    try {
      return selects(selectorOf(storage.server, valueAt(budget, 'spec', 'selector')), labels);
    } catch (error) {
      if (error instanceof SelectorError) return false;
      throw error;
    }
  });
}

function isReady(pod: ValueMap): boolean {
  const ready = listAt(pod, 'status', 'conditions').find(condition => stringAt(condition, 'type') === 'Ready');
  return stringAt(ready, 'status') === 'True';
}

function passesUnready(budget: ValueMap): boolean {
  if (stringAt(budget, 'spec', 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return true;
  const desired = countAt(budget, 'desiredHealthy');
  return countAt(budget, 'currentHealthy') >= desired && desired > 0n;
}

function countAt(budget: ValueMap, name: string): bigint {
  const count = valueAt(budget, 'status', name);
  return typeof count === 'bigint' ? count : 0n;
}

const manyDisrupted = 2000;

function refusalOf(server: ApiServer, budget: ValueMap): StatusError | undefined {
  const name = stringAt(budget, 'metadata', 'name');
  const generation = valueAt(budget, 'metadata', 'generation');
  const allowed = countAt(budget, 'disruptionsAllowed');
  if (countAt(budget, 'observedGeneration') < (typeof generation === 'bigint' ? generation : 0n))
    return tooMany(`The disruption budget ${name} is still being processed by the server.`, 10);
  const resource = { group: 'policy', resource: 'poddisruptionbudget' };
  if (allowed < 0n) return forbidden(resource, name, 'pdb disruptions allowed is negative');
  if ((mapAt(budget, 'status', 'disruptedPods')?.size ?? 0) > manyDisrupted)
    return forbidden(resource, name, 'DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  return allowed === 0n ? tooMany(exhaustedWords(server, budget, name), 0) : undefined;
}

function tooMany(cause: string, seconds: number): StatusError {
  const causes = [{ reason: 'DisruptionBudget', message: cause }];
  return failure({
    code: 429,
    reason: 'TooManyRequests',
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: seconds > 0 ? { causes, ...retryAfter(seconds) } : { causes },
  });
}

function exhaustedWords(server: ApiServer, budget: ValueMap, name: string): string {
  const [desired, current] = [countAt(budget, 'desiredHealthy'), countAt(budget, 'currentHealthy')];
  const needs = `The disruption budget ${name} needs ${desired} healthy pods and has ${current} currently`;
  if (!server.since('v1.35')) return needs;
  const condition = listAt(budget, 'status', 'conditions').find(c => stringAt(c, 'type') === 'DisruptionAllowed');
  const [reason, message] = [stringAt(condition, 'reason'), stringAt(condition, 'message')];
  const isTold = stringAt(condition, 'status') === 'False' && message !== '';
  const detail = `The disruption budget ${name} does not allow evicting pods currently`;
  if (isTold && reason === 'SyncFailed') return `${detail} because it failed sync: ${message}`;
  if (current <= desired) return needs;
  return isTold ? `${detail} (${reason}): ${message}` : detail;
}
