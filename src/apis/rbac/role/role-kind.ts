import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { pathSegmentProblems } from '../../../kubernetes/name-rules.js';
import { roleRules } from './role-validation.js';

/** Role. */
export const roleKind: KindDefinition = { validation: roleRules, nameProblems: pathSegmentProblems, allowsCreateOnUpdate: true };
