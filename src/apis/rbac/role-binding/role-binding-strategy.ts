import type { Refinement, StrategyContext } from '../../../apiserver/registry/strategy.js';
import { quote } from '../../../go/quote.js';
import { stringAt, type ValueMap } from '../../../go/value.js';
import { unknownError } from '../../../kubernetes/status-errors.js';

/**
 * Strategy of role bindings: the writer needs the role's permissions, or the verb `bind`; the rules of an unknown kind of role cannot be
 * resolved. Everybody is assumed to have that verb here. Source: kubernetes pkg/registry/rbac/rolebinding/policybased/storage.go,
 * rbac/validation/rule.go.
 */
export const roleBinding: Refinement = base => ({
  ...base,
  beginCreate: (object, context) => checkRoleKind(object, context),
  beginUpdate: (object, _old, context) => checkRoleKind(object, context),
});

function checkRoleKind(object: ValueMap, { user }: StrategyContext): void {
  const kind = stringAt(object, 'roleRef', 'kind');
  if (user.groups.includes('system:masters') || kind === 'Role' || kind === 'ClusterRole') return;
  throw unknownError(`unsupported role reference kind: ${quote(kind)}`);
}
