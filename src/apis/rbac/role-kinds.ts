import type { KindDefinition } from '../../apiserver/registry/kind-definition.js';
import type { KindRules } from '../../apiserver/registry/validation/kind-rules.js';
import { addInvalid, addRequired, at, isSet, itemsAt, lengthOf, type Place } from '../../apiserver/registry/validation/place.js';
import { checkLabelSelector } from '../../apiserver/registry/validation/rules.js';
import { pathSegmentProblems } from '../../kubernetes/name-rules.js';
import { isUsableSelector } from '../core/pod-template/selected-templates.js';
import { checkRules } from './policy-rules.js';
import { role } from './role-strategy.js';

/** Source: rbac/validation ValidateRole. */
const roleRules: KindRules = {
  create: role => checkRules(role, true),
  update: ['metadata', (role, old) => checkRules(role, true, old), 'changes'],
};

/** Role. */
export const roleKind: KindDefinition = {
  refine: role,
  validation: roleRules,
  checkedTwiceUntil: 'v1.34',
  nameProblems: pathSegmentProblems,
  allowsCreateOnUpdate: true,
};

/** Source: rbac/validation ValidateClusterRole. */
const clusterRoleRules: KindRules = { create: checkClusterRole, update: ['metadata', checkClusterRole, 'changes'] };

function checkClusterRole(role: Place, old?: Place): void {
  checkRules(role, false, old);
  const aggregation = at(role, 'aggregationRule');
  if (!isSet(aggregation)) return;
  const selectors = at(aggregation, 'clusterRoleSelectors');
  if (lengthOf(selectors) === 0) addRequired(selectors, 'at least one clusterRoleSelector required if aggregationRule is non-nil');
  for (const selector of itemsAt(aggregation, 'clusterRoleSelectors')) {
    checkLabelSelector(selector);
    // The error shows the converted selector, which is nil.
    if (!isUsableSelector(selector)) addInvalid(selector, 'invalid label selector.', null);
  }
}

/** ClusterRole. */
export const clusterRoleKind: KindDefinition = {
  refine: role,
  validation: clusterRoleRules,
  checkedTwiceUntil: 'v1.34',
  nameProblems: pathSegmentProblems,
  allowsCreateOnUpdate: true,
};
