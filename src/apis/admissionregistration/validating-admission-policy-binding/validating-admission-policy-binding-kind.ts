import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { admissionPolicy } from '../admission-policy/admission-policy-strategy.js';
import { validatingBindingRules } from '../admission-policy/policy-binding-validation.js';

/** ValidatingAdmissionPolicyBinding. */
export const validatingAdmissionPolicyBindingKind: KindDefinition = {
  refine: admissionPolicy,
  validation: validatingBindingRules,
  allowsUnconditionalUpdate: false,
  hasGeneration: true,
};
