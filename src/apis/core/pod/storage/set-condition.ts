import { ensureMap, listAt, stringAt, toValue, type ValueMap, valueAt } from '../../../../go/value.js';
import { timestampOf } from '../../../../kubernetes/timestamp.js';

/** A condition that the API server gives to a pod or a budget. */
interface GivenCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastProbeTime?: null;
  readonly observedGeneration?: bigint;
}

/**
 * Sets a condition of an object in its place, or as the last one; its time changes only with its status. Source: kubernetes pkg/api/pod/util.go
 * UpdatePodCondition, apimachinery api/meta SetStatusCondition.
 */
export function setCondition(object: ValueMap, given: GivenCondition, now: Date): void {
  const status = ensureMap(object, 'status');
  const conditions = listAt(status, 'conditions');
  const found = conditions.find(condition => stringAt(condition, 'type') === given.type);
  const isSame = stringAt(found, 'status') === given.status;
  const updated = toValue({ ...given, lastTransitionTime: isSame ? valueAt(found, 'lastTransitionTime') : timestampOf(now) });
  status.set('conditions', found === undefined ? [...conditions, updated] : conditions.map(each => (each === found ? updated : each)));
}
