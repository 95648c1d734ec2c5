import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkRules } from '../policy-rules.js';

/** Source: rbac/validation ValidateRole. */
export const roleRules: KindRules = {
  create: role => checkRules(role, true),
  update: ['metadata', (role, old) => checkRules(role, true, old), 'changes'],
};
