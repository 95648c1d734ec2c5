import { rulesOfRole } from '../../apiserver/authorization/role.js';
import type { Refinement, StrategyContext } from '../../apiserver/registry/strategy.js';
import { listAt, stringAt, type ValueMap } from '../../go/value.js';
import { changesOnlyCollection, checkNoEscalation, mayEscalate } from './escalation.js';

/**
 * Strategy of roles: the writer needs the permissions that it grants, or the verb `escalate`. Source: kubernetes
 * pkg/registry/rbac/{role,clusterrole}/policybased/storage.go.
 */
export const role: Refinement = base => ({
  ...base,
  authorize: (object, old, context) => {
    if (!context.usesRbac || mayEscalate(context) || isAllowedToEscalate(object, context)) return;
    if (old !== undefined && changesOnlyCollection(object, old)) return;
    checkNoEscalation(rulesOfRole(object), object, context);
    const aggregates = [object, old].some(one => listAt(one, 'aggregationRule', 'clusterRoleSelectors').length > 0);
    // Such a role can get any rule.
    if (aggregates) checkNoEscalation(everything, object, context, 'must have cluster-admin privileges to use the aggregationRule');
  },
});

const all = ['*'];
const everything = [
  { verbs: all, apiGroups: all, resources: all, resourceNames: [], nonResourceUrls: [] },
  { verbs: all, apiGroups: [], resources: [], resourceNames: [], nonResourceUrls: all },
];

/** Source: kubernetes pkg/registry/rbac/escalation_check.go RoleEscalationAuthorized. */
function isAllowedToEscalate(object: ValueMap, { user, resource, requestName, authorizer }: StrategyContext): boolean {
  const { group, resource: plural } = resource;
  const namespace = stringAt(object, 'metadata', 'namespace');
  const target = { group, resource: plural, subresource: '', namespace, name: requestName, fieldSelector: '', labelSelector: '' };
  return authorizer().authorize({ user, verb: 'escalate', ...target }).allowed;
}
