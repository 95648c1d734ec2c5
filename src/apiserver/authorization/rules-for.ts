import type { UserInfo } from '../../kubernetes/api-call.js';
import type { Storage } from '../../kubernetes/storage.js';
import { bindingsFor, isMeant, rulesBehind } from './rbac.js';
import type { PolicyRule } from './role.js';

/**
 * Returns all rules of a user in a namespace, in the order of the bindings. Source: kubernetes pkg/registry/rbac/validation/rule.go
 * RulesFor.
 */
export function rulesFor(user: UserInfo, namespace: string, storage: Storage): PolicyRule[] {
  return bindingsFor(storage, namespace).flatMap(binding => {
    if (!binding.subjects.some(subject => isMeant(subject, user, binding.namespace))) return [];
    const rules = rulesBehind(storage, binding);
    return typeof rules === 'string' ? [] : rules;
  });
}
