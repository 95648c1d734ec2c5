import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { pathSegmentProblems } from '../../../kubernetes/name-rules.js';
import { role } from '../role-strategy.js';
import { roleRules } from './role-validation.js';

/** Role. */
export const roleKind: KindDefinition = {
  refine: role,
  validation: roleRules,
  checkedTwiceUntil: 'v1.34',
  nameProblems: pathSegmentProblems,
  allowsCreateOnUpdate: true,
};
