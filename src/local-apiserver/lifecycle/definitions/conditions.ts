import { copyOf, ensureMap, listAt, stringAt, toValue, type Value, type ValueMap } from '../../../go/value.js';
import { timestampOf } from '../../../kubernetes/timestamp.js';

/** Condition of a definition as a controller computes it. */
export interface DefinitionCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/**
 * Returns a copy with the condition replaced in its place, or appended. The time of an existing one changes with its status only. Source:
 * apiextensions-apiserver pkg/apihelpers/helpers.go SetCRDCondition.
 */
export function withCondition(definition: ValueMap, { type, status: value, reason, message }: DefinitionCondition, now: Date): ValueMap {
  const copy = copyOf(definition);
  const status = ensureMap(copy, 'status');
  const before = listAt(status, 'conditions');
  const old = conditionOf(copy, type);
  const keepsTime = old !== undefined && stringAt(old, 'status') === value && stringAt(old, 'lastTransitionTime') !== '';
  const lastTransitionTime = keepsTime ? stringAt(old, 'lastTransitionTime') : timestampOf(now);
  const written = toValue({ type, status: value, lastTransitionTime, reason, message });
  status.set('conditions', old === undefined ? [...before, written] : before.map(c => (c === old ? written : c)));
  return copy;
}

/** Returns a copy without the conditions of a type. */
export function withoutCondition(definition: ValueMap, type: string): ValueMap {
  const copy = copyOf(definition);
  const status = ensureMap(copy, 'status');
  status.set(
    'conditions',
    listAt(status, 'conditions').filter(condition => stringAt(condition, 'type') !== type),
  );
  return copy;
}

/** Returns the condition of a type; undefined if there is none. */
export function conditionOf(definition: ValueMap, type: string): Value | undefined {
  return listAt(definition, 'status', 'conditions').find(condition => stringAt(condition, 'type') === type);
}

/** Reports whether a definition has the condition as it is, at any time. */
export function hasCondition(definition: ValueMap, { type, status, reason, message }: DefinitionCondition): boolean {
  const old = conditionOf(definition, type);
  return stringAt(old, 'status') === status && stringAt(old, 'reason') === reason && stringAt(old, 'message') === message;
}
