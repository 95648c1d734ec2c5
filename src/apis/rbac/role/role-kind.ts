import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { pathSegmentProblems } from '../../../kubernetes/name-rules.js';
import { checkRules } from '../policy-rules.js';
import { role } from '../role-strategy.js';

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
