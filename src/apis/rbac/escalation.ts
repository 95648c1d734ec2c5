import { aggregate } from '../../apiserver/admission/name-in-refusal.js';
import { rulesFor } from '../../apiserver/authorization/rbac.js';
import type { PolicyRule } from '../../apiserver/authorization/role.js';
import type { StrategyContext } from '../../apiserver/registry/strategy.js';
import { quote } from '../../go/quote.js';
import { copyOf, mapAt, sameValue, stringAt, type ValueMap } from '../../go/value.js';
import { forbidden } from '../../kubernetes/status-errors.js';
import { compactRules, uncoveredRules } from './rule-coverage.js';

/** Reports whether the writer may do everything: a member of system:masters. Source: kubernetes pkg/registry/rbac EscalationAllowed. */
export function mayEscalate({ user }: StrategyContext): boolean {
  return user.groups.includes('system:masters');
}

/**
 * Throws a 403 if rules allow more than their writer is allowed. Source: kubernetes pkg/registry/rbac/validation/rule.go
 * ConfirmNoEscalation.
 */
export function checkNoEscalation(rules: readonly PolicyRule[], object: ValueMap, context: StrategyContext, refusal?: string): void {
  const { user, storage, resource } = context;
  const owned = rulesFor(user, stringAt(object, 'metadata', 'namespace'), storage);
  const missing = compactRules(uncoveredRules(owned.rules, rules));
  if (missing.length === 0) return;
  const shown = [...new Set(missing.map(printRule))].sort();
  const who = `user ${quote(user.username)} (groups=${printList(user.groups)})`;
  const unresolved = owned.errors.length === 0 ? '' : `; resolution errors: [${aggregate(owned.errors)}]`;
  const why = `${who} is attempting to grant RBAC permissions not currently held:\n${shown.join('\n')}${unresolved}`;
  throw forbidden(resource, stringAt(object, 'metadata', 'name'), refusal ?? why);
}

/** Source: kubernetes pkg/apis/rbac/v1/helpers.go CompactString. */
function printRule({ apiGroups, resources, nonResourceUrls, resourceNames, verbs }: PolicyRule): string {
  const parts = [
    ['APIGroups', apiGroups],
    ['Resources', resources],
    ['NonResourceURLs', nonResourceUrls],
    ['ResourceNames', resourceNames],
    ['Verbs', verbs],
  ] as const;
  return `{${parts.flatMap(([name, values]) => (values.length === 0 ? [] : [`${name}:${printList(values)}`])).join(', ')}}`;
}

function printList(values: readonly string[]): string {
  return `[${values.map(quote).join(' ')}]`;
}

const collected = ['ownerReferences', 'finalizers', 'selfLink', 'managedFields'];

/**
 * Reports whether an update changes only what the garbage collector needs to. Source: kubernetes pkg/registry/rbac/helpers.go
 * IsOnlyMutatingGCFields.
 */
export function changesOnlyCollection(object: ValueMap, old: ValueMap): boolean {
  const [now, before] = [object, old].map(one => {
    const copy = copyOf(one);
    for (const field of collected) mapAt(copy, 'metadata')?.delete(field);
    return copy;
  });
  return sameValue(now ?? null, before ?? null);
}
