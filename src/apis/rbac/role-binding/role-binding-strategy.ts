import { rulesBehind } from '../../../apiserver/authorization/rbac.js';
import { bindingOf } from '../../../apiserver/authorization/role.js';
import type { Refinement, StrategyContext } from '../../../apiserver/registry/strategy.js';
import { ownMember } from '../../../go/own-members.js';
import { quote } from '../../../go/quote.js';
import { stringAt, type ValueMap } from '../../../go/value.js';
import { badRequest, notFound, unknownError } from '../../../kubernetes/status-errors.js';
import { changesOnlyCollection, checkNoEscalation, mayEscalate } from '../escalation.js';

/**
 * Strategy of role bindings: the writer needs the role's permissions, or the verb `bind`; the rules of an unknown kind of role cannot be
 * resolved. Source: kubernetes pkg/registry/rbac/{rolebinding,clusterrolebinding}/policybased/storage.go, rbac/validation/rule.go.
 */
export const roleBinding: Refinement = base => ({
  ...base,
  authorize: (object, old, context) => {
    if (mayEscalate(context) || (old !== undefined && changesOnlyCollection(object, old))) return;
    const kind = stringAt(object, 'roleRef', 'kind');
    const resource = ownMember(bindable, kind);
    if (resource === undefined) throw unknownError(`unsupported role reference kind: ${quote(kind)}`);
    if (!context.usesRbac || isAllowedToBind(resource, object, context)) return;
    if (kind === 'Role' && !context.resource.namespaced) throw badRequest('Namespace parameter required.');
    const rules = rulesBehind(context.storage, bindingOf(object));
    // The lookup names the resource of the request.
    if (typeof rules === 'string') throw notFound(context.resource, stringAt(object, 'roleRef', 'name'));
    checkNoEscalation(rules, object, context);
  },
});

const bindable: Readonly<Record<string, string>> = { Role: 'roles', ClusterRole: 'clusterroles' };

/** Source: kubernetes pkg/registry/rbac/escalation_check.go BindingAuthorized. */
function isAllowedToBind(resource: string, object: ValueMap, { user, authorizer }: StrategyContext): boolean {
  const [group, name] = [stringAt(object, 'roleRef', 'apiGroup'), stringAt(object, 'roleRef', 'name')];
  const namespace = stringAt(object, 'metadata', 'namespace');
  const target = { group, resource, subresource: '', namespace, name, fieldSelector: '', labelSelector: '' };
  return authorizer().authorize({ user, verb: 'bind', ...target }).allowed;
}
