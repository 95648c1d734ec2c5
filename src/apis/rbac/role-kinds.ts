import type { KindDefinition } from '../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../apiserver/registry/validation/field-path.js';
import type { KindRules } from '../../apiserver/registry/validation/kind-rules.js';
import { checkLabelSelector } from '../../apiserver/registry/validation/rules.js';
import { pathSegmentProblems } from '../../kubernetes/name-rules.js';
import { isUsableSelector } from '../core/pod-template/selected-templates.js';
import { checkRules } from './policy-rules.js';
import { role } from './role-strategy.js';

/** Source: rbac/validation ValidateRole. */
const roleRules: KindRules = {
  create: role => checkRules(role, true),
  update: ['metadata', role => checkRules(role, true), 'changes'],
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

function checkClusterRole(role: FieldPath): void {
  checkRules(role, false);
  const aggregation = role.child('aggregationRule');
  if (!aggregation.isSet()) return;
  const selectors = aggregation.child('clusterRoleSelectors');
  if (selectors.length() === 0) selectors.required('at least one clusterRoleSelector required if aggregationRule is non-nil');
  for (const selector of aggregation.items('clusterRoleSelectors')) {
    checkLabelSelector(selector);
    // The error shows the converted selector, which is nil.
    if (!isUsableSelector(selector)) selector.invalid(null, 'invalid label selector.');
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
