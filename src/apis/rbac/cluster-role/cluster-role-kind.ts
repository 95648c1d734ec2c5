import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { pathSegmentProblems } from '../../../kubernetes/name-rules.js';
import { role } from '../role-strategy.js';
import { clusterRoleRules } from './cluster-role-validation.js';

/** ClusterRole. */
export const clusterRoleKind: KindDefinition = {
  refine: role,
  validation: clusterRoleRules,
  checkedTwiceUntil: 'v1.34',
  nameProblems: pathSegmentProblems,
  allowsCreateOnUpdate: true,
};
