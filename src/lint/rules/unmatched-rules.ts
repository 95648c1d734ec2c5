import type { Rule } from '../../apiserver/webhooks/webhook.js';
import { type KubernetesMinor, kubernetesMinors } from '../../kubernetes/kubernetes-version.js';
import { resourceTableOf } from '../../kubernetes/resource-table.js';
import { isVirtual } from '../../kubernetes/virtual-resources.js';
import { nearestChange } from '../nearest-request.js';
import { type AdmittedRequest, admittedRequests, ruleMatches } from '../requests.js';
import type { LintRule, LintSubject, RuleProblem } from '../rule.js';
import { type RuleList, resourcesMatch, ruleLists } from '../rule-lists.js';
import { canMatchUnknown } from '../unknown-resources.js';

/** A rule that no request can match. */
export const ruleNeverMatches: LintRule = {
  id: 'rule-never-matches',
  severity: 'error',
  reason: 'the API server accepts any names: the webhook or the policy is silently never asked',
  fix: 'correct the rule: plural names in lower case, the group and version that serve them, and an operation that they have',
  check: subject => [
    ...ruleLists(subject).flatMap(list =>
      list.rules.flatMap((rule, i) => {
        if (!isComplete(rule) || reaches(rule, list, subject) || isWarnedAbout(rule, list, subject)) return [];
        return [{ about: list.about, at: `${list.at}/${i}`, message: `rule ${i + 1} ${unmatched(rule, list, subject)}` }];
      }),
    ),
    ...excludedPolicies(subject),
  ],
};

/** An entry of a rule that no request can match, beside others that can. */
export const entryNeverMatches: LintRule = {
  id: 'rule-entry-never-matches',
  severity: 'warning',
  reason: 'only the other entries of the rule have an effect',
  fix: 'put the entry into a rule of its own, with the group, version and operations that it needs, or correct its name',
  check: subject =>
    ruleLists(subject).flatMap(list =>
      list.rules.flatMap((rule, i) => {
        if (!isComplete(rule) || !reaches(rule, list, subject)) return [];
        return deadEntries(rule, list, subject).map(({ at, name, alone }) => ({
          about: list.about,
          at: `${list.at}/${i}/${at}`,
          message: `in rule ${i + 1}, ${name} ${unmatched(alone, list, subject)}`,
        }));
      }),
    ),
};

/** The API server refuses rules without these. */
function isComplete({ apiGroups, apiVersions, resources, operations }: Rule): boolean {
  return [apiGroups, apiVersions, resources, operations].every(list => list.length > 0);
}

/** The API server itself warns about webhooks for virtual resources. */
function isWarnedAbout(rule: Rule, { owner, accepts, matchPolicy }: RuleList, { storage }: LintSubject): boolean {
  const isExempt = (request: AdmittedRequest): boolean => !accepts(request) && ruleMatches(rule, request, matchPolicy);
  return owner === 'webhooks' && admittedRequests(storage).some(request => isExempt(request) && isVirtual(request.resource));
}

function reaches(rule: Rule, { accepts, matchPolicy }: RuleList, { storage }: LintSubject): boolean {
  return (
    admittedRequests(storage).some(request => accepts(request) && ruleMatches(rule, request, matchPolicy)) || canMatchUnknown(rule, storage)
  );
}

interface DeadEntry {
  readonly at: string;
  readonly name: string;
  readonly alone: Rule;
}

function deadEntries(rule: Rule, list: RuleList, subject: LintSubject): DeadEntry[] {
  const resources = rule.resources.map((entry, j) => ({ at: `resources/${j}`, name: entry, alone: { ...rule, resources: [entry] } }));
  // Versions and groups that are gone, and operations that some resources lack, are often written on purpose.
  const operations = rule.operations.flatMap((entry, j) =>
    entry === 'CONNECT' ? [{ at: `operations/${j}`, name: entry, alone: { ...rule, operations: [entry] } }] : [],
  );
  return [...resources, ...operations].filter(({ alone }) => !reaches(alone, list, subject));
}

/** Returns why a rule matches nothing, and the nearest change with which it does. */
function unmatched(rule: Rule, { accepts, matchPolicy, owner, excludes }: RuleList, subject: LintSubject): string {
  const { storage, server } = subject;
  const effect = excludes ? 'excludes nothing' : 'matches no request';
  const requests = admittedRequests(storage);
  const exempt = requests.find(request => !accepts(request) && ruleMatches(rule, request, matchPolicy));
  if (exempt !== undefined) return `${effect}: ${whyExempt(exempt, owner)}`;
  const others = minorsThatServe(rule, server.minor);
  const known = others.length === 0 ? '' : `; ${others.join(', ')} ${others.length === 1 ? 'serves' : 'serve'} it`;
  const accepted = requests.filter(accepts);
  const change = nearestChange(rule, accepted);
  return `${effect} of ${server.minor}${known}${change === undefined ? '' : `; the nearest that exists: ${change}`}`;
}

function whyExempt({ operation, served: { resource } }: AdmittedRequest, owner: RuleList['owner']): string {
  if (owner === 'mutating policies' && operation === 'DELETE') return 'mutating policies are not evaluated for DELETE';
  return owner === 'webhooks' ? `webhooks are never called for ${resource}` : `this policy is never evaluated for ${operation} ${resource}`;
}

/** Returns the other minors that serve a resource of the rule, if its own minor does not. */
function minorsThatServe(rule: Rule, minor: KubernetesMinor): KubernetesMinor[] {
  const [own = [], ...others] = [minor, ...kubernetesMinors.filter(other => other !== minor)].map(each =>
    isServed(rule, each) ? [each] : [],
  );
  return own.length > 0 ? [] : others.flat();
}

function isServed({ apiGroups, apiVersions, resources }: Rule, minor: KubernetesMinor): boolean {
  return resourceTableOf(minor, 'all').resources.some(
    ({ group, version, resource }) =>
      apiGroups.includes(group) && apiVersions.includes(version) && resources.some(entry => entry.split('/', 1)[0] === resource),
  );
}

/** Returns the policies and bindings whose excluding rules leave nothing of what the others match. */
function excludedPolicies({ storage, policies = [] }: LintSubject): RuleProblem[] {
  return policies.flatMap(about => {
    const { constraints } = about.policy;
    if (constraints === undefined || constraints.excludeResourceRules.length === 0) return [];
    const wanted = { ...constraints, excludeResourceRules: [] };
    const matched = admittedRequests(storage).filter(request => resourcesMatch(wanted, request));
    const isOpen = constraints.resourceRules.some(rule => canMatchUnknown(rule, storage));
    if (isOpen || matched.length === 0 || matched.some(request => resourcesMatch(constraints, request))) return [];
    return [
      {
        about,
        at: '/spec/matchConstraints/excludeResourceRules',
        message: 'excludeResourceRules exclude everything that resourceRules match',
      },
    ];
  });
}
