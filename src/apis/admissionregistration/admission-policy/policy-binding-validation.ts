import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkActions, checkBindingSpec, checkMutatedOperations } from './match-resources.js';
import { warnings } from './policy-spec.js';

/** Source: admissionregistration/validation ValidateValidatingAdmissionPolicyBinding. */
export const validatingBindingRules: KindRules = { create: checkValidatingBinding, update: ['metadata', checkValidatingBinding], warnings };

/** Source: admissionregistration/validation ValidateMutatingAdmissionPolicyBinding. */
export const mutatingBindingRules: KindRules = { create: checkMutatingBinding, update: ['metadata', checkMutatingBinding], warnings };

function checkValidatingBinding(binding: FieldPath): void {
  checkBindingSpec(binding.child('spec'));
  checkActions(binding.child('spec', 'validationActions'));
}

function checkMutatingBinding(binding: FieldPath): void {
  checkBindingSpec(binding.child('spec'));
  checkMutatedOperations(binding.child('spec', 'matchResources'));
}
