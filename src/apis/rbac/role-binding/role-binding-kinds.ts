import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { pathSegmentProblems } from '../../../kubernetes/name-rules.js';
import { roleBinding } from './role-binding-strategy.js';
import { clusterRoleBindingRules, roleBindingRules } from './role-binding-validation.js';

/** RoleBinding. */
export const roleBindingKind: KindDefinition = {
  refine: roleBinding,
  validation: roleBindingRules,
  checkedTwiceUntil: 'v1.34',
  nameProblems: pathSegmentProblems,
  allowsCreateOnUpdate: true,
};

/** ClusterRoleBinding. */
export const clusterRoleBindingKind: KindDefinition = {
  refine: roleBinding,
  validation: clusterRoleBindingRules,
  checkedTwiceUntil: 'v1.34',
  nameProblems: pathSegmentProblems,
  allowsCreateOnUpdate: true,
};
