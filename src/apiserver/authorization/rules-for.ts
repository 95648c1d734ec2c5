import type { UserInfo } from '../../kubernetes/api-call.js';
import type { Storage } from '../../kubernetes/storage.js';
import { bindingsFor, isMeant, rulesBehind } from './rbac.js';
import type { PolicyRule } from './role.js';

/** Rules of a user, and the messages of references that cannot be resolved. */
export interface ResolvedRules {
  readonly rules: readonly PolicyRule[];
  readonly errors: readonly string[];
}

/**
 * Returns all rules of a user in a namespace, in the order of the bindings. The API server's order of bindings is random and differs from call
 * to call, because its informers list a Go map. Source: kubernetes pkg/registry/rbac/validation/rule.go RulesFor.
 */
export function rulesFor(user: UserInfo, namespace: string, storage: Storage): ResolvedRules {
  const own = bindingsFor(storage, namespace).filter(({ subjects, namespace: at }) => subjects.some(subject => isMeant(subject, user, at)));
  const resolved = own.map(binding => rulesBehind(storage, binding));
  return {
    rules: resolved.flatMap(rules => (typeof rules === 'string' ? [] : rules)),
    errors: resolved.filter(rules => typeof rules === 'string'),
  };
}
