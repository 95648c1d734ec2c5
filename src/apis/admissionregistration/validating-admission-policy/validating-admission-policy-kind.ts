import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { admissionPolicy } from '../admission-policy/admission-policy-strategy.js';
import { validatingPolicyStatus } from '../admission-policy/policy-status.js';
import { validatingPolicyRules } from '../admission-policy/validating-policy-validation.js';

/** ValidatingAdmissionPolicy. */
export const validatingAdmissionPolicyKind: KindDefinition = {
  refine: admissionPolicy,
  validation: validatingPolicyRules,
  subresources: { status: { update: validatingPolicyStatus } },
  allowsUnconditionalUpdate: false,
  hasGeneration: true,
  resetsStatus: true,
  keepsMetadataInStatus: true,
};
