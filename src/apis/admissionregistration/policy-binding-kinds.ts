import type { KindDefinition } from '../../apiserver/registry/kind-definition.js';
import { admissionPolicy } from './admission-policy/admission-policy-strategy.js';
import { mutatingBindingRules, validatingBindingRules } from './admission-policy/policy-binding-validation.js';

/** MutatingAdmissionPolicyBinding. */
export const mutatingAdmissionPolicyBindingKind: KindDefinition = {
  refine: admissionPolicy,
  validation: mutatingBindingRules,
  allowsUnconditionalUpdate: false,
  hasGeneration: true,
  anyFinalizers: true,
};

/** ValidatingAdmissionPolicyBinding. */
export const validatingAdmissionPolicyBindingKind: KindDefinition = {
  refine: admissionPolicy,
  validation: validatingBindingRules,
  allowsUnconditionalUpdate: false,
  hasGeneration: true,
  anyFinalizers: true,
};
