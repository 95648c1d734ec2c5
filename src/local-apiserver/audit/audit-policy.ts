import type { AuthorizerQuestion } from '../../cel/library/authorizer.js';

export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';
export type AuditStage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic';

/** An audit policy. Source: apiserver apis/audit/v1/types.go. */
export interface AuditPolicy {
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
  readonly rules: readonly AuditRule[];
}

export interface AuditRule {
  readonly level: AuditLevel;
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly namespaces?: readonly string[];
  readonly resources?: readonly {
    readonly group?: string;
    readonly resources?: readonly string[];
    readonly resourceNames?: readonly string[];
  }[];
  readonly nonResourceURLs?: readonly string[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

/** What is logged of a request. */
export interface AuditDecision {
  readonly level: AuditLevel;
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

/** Returns the decision of the first rule that matches a request. Source: apiserver audit/policy/checker.go. */
export function auditDecision(policy: AuditPolicy, question: AuthorizerQuestion): AuditDecision {
  const rule = policy.rules.find(one => matches(one, question));
  return {
    level: rule?.level ?? 'None',
    omitStages: [...(policy.omitStages ?? []), ...(rule?.omitStages ?? [])],
    omitManagedFields: rule?.omitManagedFields ?? policy.omitManagedFields ?? false,
  };
}

function matches(rule: AuditRule, question: AuthorizerQuestion): boolean {
  const { user, verb } = question;
  if (!isListed(rule.users, [user.username]) || !isListed(rule.userGroups, user.groups) || !isListed(rule.verbs, [verb])) return false;
  if (hasEntries(rule.namespaces) || hasEntries(rule.resources)) return !('path' in question) && matchesResource(rule, question);
  if (!hasEntries(rule.nonResourceURLs)) return true;
  return 'path' in question && (rule.nonResourceURLs ?? []).some(pattern => matchesPath(question.path, pattern));
}

function hasEntries(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}

function isListed(list: readonly string[] | undefined, values: readonly string[]): boolean {
  return !hasEntries(list) || values.some(value => list?.includes(value) === true);
}

type ResourceQuestion = Exclude<AuthorizerQuestion, { readonly path: string }>;

function matchesResource(rule: AuditRule, { namespace, group, resource, subresource, name }: ResourceQuestion): boolean {
  if (!isListed(rule.namespaces, [namespace])) return false;
  if (!hasEntries(rule.resources)) return true;
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  return (rule.resources ?? []).some(entry => {
    if (entry.group !== '*' && (entry.group ?? '') !== group) return false;
    if (!hasEntries(entry.resources)) return true;
    if (!isListed(entry.resourceNames, [name])) return false;
    const subresources = subresource === '' ? [] : [`*/${subresource}`];
    return [combined, '*', ...subresources, `${resource}/*`].some(text => entry.resources?.includes(text));
  });
}

function matchesPath(path: string, pattern: string): boolean {
  return pattern === '*' || pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/, '')));
}
