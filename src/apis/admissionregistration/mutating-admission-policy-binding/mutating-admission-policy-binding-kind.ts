import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { admissionPolicy } from '../admission-policy/admission-policy-strategy.js';
import { mutatingBindingRules } from '../admission-policy/policy-binding-validation.js';

/** MutatingAdmissionPolicyBinding. */
export const mutatingAdmissionPolicyBindingKind: KindDefinition = {
  refine: admissionPolicy,
  validation: mutatingBindingRules,
  allowsUnconditionalUpdate: false,
  hasGeneration: true,
};
