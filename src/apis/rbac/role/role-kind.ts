import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { pathSegmentProblems } from '../../../kubernetes/name-rules.js';
import { roleRules } from './role-validation.js';

/** Role. */
export const roleKind: KindDefinition = {
  validation: roleRules,
  checkedTwiceUntil: 'v1.34',
  nameProblems: pathSegmentProblems,
  allowsCreateOnUpdate: true,
};
