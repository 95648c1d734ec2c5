import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { admissionPolicy } from '../admission-policy/admission-policy-strategy.js';
import { mutatingPolicyRules } from '../admission-policy/mutating-policy-validation.js';

/** MutatingAdmissionPolicy. */
export const mutatingAdmissionPolicyKind: KindDefinition = {
  refine: admissionPolicy,
  validation: mutatingPolicyRules,
  allowsUnconditionalUpdate: false,
  hasGeneration: true,
};
