import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { addForbidden, at, isSet, numberAt, type Place, textAt } from '../../../apiserver/registry/validation/place.js';
import { checkOneOf } from '../../../apiserver/registry/validation/rules.js';

/** Source: scheduling/validation ValidatePriorityClass. */
export const priorityClassRules: KindRules = { create: checkPriorityClass, update: ['changes', keepPriorityClass] };

const systemClasses: ReadonlyMap<string, bigint> = new Map([
  ['system-node-critical', 2_000_001_000n],
  ['system-cluster-critical', 2_000_000_000n],
]);

function checkPriorityClass(place: Place): void {
  const [name, value] = [textAt(place, 'metadata', 'name'), numberAt(place, 'value')];
  if (name.startsWith('system-')) {
    const why = systemProblem(place, name);
    if (why !== undefined)
      addForbidden(
        at(place, 'metadata', 'name'),
        `priority class names with 'system-' prefix are reserved for system use only. error: ${why}`,
      );
  } else if (value > 1_000_000_000n) addForbidden(at(place, 'value'), 'maximum allowed value of a user defined priority is 1000000000');
  if (isSet(at(place, 'preemptionPolicy'))) checkOneOf(at(place, 'preemptionPolicy'), ['PreemptLowerPriority', 'Never']);
}

function systemProblem(place: Place, name: string): string | undefined {
  const value = systemClasses.get(name);
  if (value === undefined) return `${name} is not a known system priority class`;
  if (value !== numberAt(place, 'value')) return `value of ${name} PriorityClass must be ${value}`;
  return at(place, 'globalDefault').value === true ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function keepPriorityClass(now: Place, old: Place): void {
  if (numberAt(now, 'value') !== numberAt(old, 'value')) addForbidden(at(now, 'value'), 'may not be changed in an update.');
  checkImmutable(now, old, { type: 'scheduling/v1.PriorityClass', name: 'preemptionPolicy' });
}
