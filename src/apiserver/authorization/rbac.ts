import type { Authorizer, AuthorizerAnswer, AuthorizerQuestion, ResourceParts } from '../../cel/library/authorizer.js';
import { quote } from '../../go/quote.js';
import type { UserInfo } from '../../kubernetes/api-call.js';
import type { Storage } from '../../kubernetes/storage.js';
import { aggregate } from '../admission/name-in-refusal.js';
import { bootstrapBindings } from './bootstrap-roles.js';
import { defaultRules } from './default-roles.js';
import { bindingOf, type PolicyRule, type RoleBinding, rulesOfRole, type Subject } from './role.js';

/**
 * Returns an authorizer based on the existing roles and bindings. Source: kubernetes plugin/pkg/auth/authorizer/rbac,
 * registry/rbac/validation/rule.go.
 */
export function rbacAuthorizer(storage: Storage): Authorizer {
  return { authorize: question => answer(storage, question) };
}

/** API group of roles and bindings. */
export const rbacGroup = 'rbac.authorization.k8s.io';

function answer(storage: Storage, question: AuthorizerQuestion): AuthorizerAnswer {
  // The API server allows members of system:masters before it evaluates roles.
  if (question.user.groups.includes('system:masters')) return allowedBecause('');
  const errors: string[] = [];
  for (const binding of bindingsFor(storage, 'path' in question ? '' : question.namespace)) {
    const subject = binding.subjects.find(one => isMeant(one, question.user, binding.namespace));
    if (subject === undefined) continue;
    const rules = rulesBehind(storage, binding);
    if (typeof rules === 'string') errors.push(rules);
    else if (rules.some(rule => ruleAllows(rule, question))) return allowedBecause(`RBAC: allowed by ${described(binding, subject)}`);
  }
  return { allowed: false, reason: errors.length === 0 ? '' : `RBAC: ${aggregate(errors)}`, error: undefined };
}

function allowedBecause(reason: string): AuthorizerAnswer {
  return { allowed: true, reason, error: undefined };
}

/** Bindings of the whole cluster, then those of the namespace. */
export function bindingsFor(storage: Storage, namespace: string): readonly RoleBinding[] {
  const own = storage.list({ group: rbacGroup, kind: 'ClusterRoleBinding' }).map(bindingOf);
  const bootstrap = bootstrapBindings.filter(({ name }) => !own.some(binding => binding.name === name));
  const inNamespace = namespace === '' ? [] : storage.list({ group: rbacGroup, kind: 'RoleBinding' }, namespace);
  return [...own, ...bootstrap, ...inNamespace.map(bindingOf)];
}

/** Reports whether a subject of a binding is this user. */
export function isMeant(subject: Subject, { username, groups }: UserInfo, bindingNamespace: string): boolean {
  switch (subject.kind) {
    case 'User':
      return username === subject.name;
    case 'Group':
      return groups.includes(subject.name);
    case 'ServiceAccount': {
      const namespace = subject.namespace === '' ? bindingNamespace : subject.namespace;
      return namespace !== '' && username === `system:serviceaccount:${namespace}:${subject.name}`;
    }
    default:
      return false;
  }
}

/** Returns the rules that a binding grants, or an error message for an invalid reference. */
export function rulesBehind(storage: Storage, { role, namespace }: RoleBinding): readonly PolicyRule[] | string {
  if (role.kind !== 'Role' && role.kind !== 'ClusterRole') return `unsupported role reference kind: ${quote(role.kind)}`;
  const found = storage.find({ group: rbacGroup, kind: role.kind }, role.kind === 'Role' ? namespace : '', role.name);
  if (found !== undefined) return rulesOfRole(found);
  const rules = role.kind === 'ClusterRole' ? defaultRules(role.name, storage) : undefined;
  return rules ?? `${role.kind.toLowerCase()}.${rbacGroup} ${quote(role.name)} not found`;
}

function described({ kind, namespace, name, role }: RoleBinding, subject: Subject): string {
  const binding = kind === 'RoleBinding' ? `${name}/${namespace}` : name;
  return `${kind} ${quote(binding)} of ${role.kind} ${quote(role.name)} to ${subject.kind} ${quote(subjectName(subject, namespace))}`;
}

function subjectName({ kind, name, namespace }: Subject, bindingNamespace: string): string {
  return kind === 'ServiceAccount' ? `${name}/${namespace === '' ? bindingNamespace : namespace}` : name;
}

/** Reports whether the rule allows the request. Source: kubernetes rbac.go RuleAllows, pkg/apis/rbac/v1/evaluation_helpers.go. */
export function ruleAllows(rule: PolicyRule, question: AuthorizerQuestion): boolean {
  if (!named(rule.verbs, question.verb)) return false;
  return 'path' in question ? pathAllowed(rule, question.path) : resourceAllowed(rule, question);
}

function named(names: readonly string[], name: string): boolean {
  return names.includes('*') || names.includes(name);
}

/** Reports whether a non-resource URL matches; a trailing `*` matches any suffix. */
function pathAllowed({ nonResourceUrls }: PolicyRule, path: string): boolean {
  return nonResourceUrls.some(url => url === '*' || url === path || (url.endsWith('*') && path.startsWith(url.replace(/\*+$/, ''))));
}

function resourceAllowed(rule: PolicyRule, { group, resource, subresource, name }: ResourceParts): boolean {
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  const fits = (ruled: string) => ruled === '*' || ruled === combined || (subresource !== '' && ruled === `*/${subresource}`);
  if (!named(rule.apiGroups, group) || !rule.resources.some(fits)) return false;
  return rule.resourceNames.length === 0 || rule.resourceNames.includes(name);
}

/** Rules of a user, and the messages of references that cannot be resolved. */
interface ResolvedRules {
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
