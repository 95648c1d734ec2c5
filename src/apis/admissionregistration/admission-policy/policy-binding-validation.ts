import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { at, type Place } from '../../../apiserver/registry/validation/place.js';
import { checkActions, checkBindingSpec, checkMutatedOperations } from './match-resources.js';
import { warnings } from './policy-spec.js';

/** Source: admissionregistration/validation ValidateValidatingAdmissionPolicyBinding. */
export const validatingBindingRules: KindRules = { create: checkValidatingBinding, update: ['metadata', checkValidatingBinding], warnings };

/** Source: admissionregistration/validation ValidateMutatingAdmissionPolicyBinding. */
export const mutatingBindingRules: KindRules = { create: checkMutatingBinding, update: ['metadata', checkMutatingBinding], warnings };

function checkValidatingBinding(binding: Place, old?: Place): void {
  checkBindingSpec(at(binding, 'spec'), old && at(old, 'spec'), true);
  checkActions(at(binding, 'spec', 'validationActions'), old && at(old, 'spec', 'validationActions'));
}

function checkMutatingBinding(binding: Place): void {
  checkBindingSpec(at(binding, 'spec'), undefined, false);
  checkMutatedOperations(at(binding, 'spec', 'matchResources'));
}
