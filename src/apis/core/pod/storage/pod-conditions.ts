import { ensureMap, isMap, listAt, stringAt, toValue, type ValueMap, valueAt } from '../../../../go/value.js';
import { timestampOf } from '../../../../kubernetes/timestamp.js';

/** A condition that the API server gives to a pod. */
export interface GivenCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/** Sets a condition of a pod in its place, or as the last one; its time changes only with its status. Source: kubernetes pkg/api/pod/util.go UpdatePodCondition. */
export function updatePodCondition(pod: ValueMap, given: GivenCondition, now: Date): void {
  const status = ensureMap(pod, 'status');
  const conditions = listAt(status, 'conditions');
  const found = conditions.find(condition => stringAt(condition, 'type') === given.type);
  const { type, status: value, ...reasons } = given;
  const isSame = isMap(found) && stringAt(found, 'status') === value;
  const lastTransitionTime = isSame ? valueAt(found, 'lastTransitionTime') : timestampOf(now);
  const updated = toValue({ type, status: value, lastProbeTime: null, lastTransitionTime, ...reasons });
  status.set('conditions', found === undefined ? [...conditions, updated] : conditions.map(each => (each === found ? updated : each)));
}
