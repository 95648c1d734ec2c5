import { sortedEntries } from '../../apiserver/patches/managed-fields/entries.js';
import { copyOf, ensureMap, listAt, stringAt, toValue, type Value, type ValueMap } from '../../go/value.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import { conditionFields } from '../lifecycle/condition-fields.js';

/** Value of the condition `Available`. */
export interface Availability {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/**
 * Returns an APIService with this condition; undefined if it has it. Source: kube-aggregator pkg/apis/apiregistration/v1/helper
 * SetAPIServiceCondition.
 */
export function withAvailability(apiService: ValueMap, availability: Availability, now: Date): ValueMap | undefined {
  const before = listAt(apiService, 'status', 'conditions');
  const old = before.find(condition => stringAt(condition, 'type') === 'Available');
  const { status, reason, message } = availability;
  const isSame = [status, reason, message].every((value, i) => stringAt(old, ['status', 'reason', 'message'][i] ?? '') === value);
  if (isSame) return undefined;
  const lastTransitionTime = stringAt(old, 'status') === status ? stringAt(old, 'lastTransitionTime') : timestampOf(now);
  const written = toValue({ type: 'Available', status, lastTransitionTime, reason, message });
  const changed = copyOf(apiService);
  ensureMap(changed, 'status').set(
    'conditions',
    old === undefined ? [...before, written] : before.map(each => (each === old ? written : each)),
  );
  ensureMap(changed, 'metadata').set('managedFields', sortedEntries([...otherOwners(changed), statusOwner(timestampOf(now))]));
  return changed;
}

function otherOwners(apiService: ValueMap): Value[] {
  return listAt(apiService, 'metadata', 'managedFields').filter(
    entry => stringAt(entry, 'manager') !== 'kube-apiserver' || stringAt(entry, 'subresource') !== 'status',
  );
}

function statusOwner(time: string): Value {
  return toValue({
    manager: 'kube-apiserver',
    operation: 'Update',
    apiVersion: 'apiregistration.k8s.io/v1',
    time,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:status': { 'f:conditions': { '.': {}, ...conditionFields('Available') } } },
    subresource: 'status',
  });
}
