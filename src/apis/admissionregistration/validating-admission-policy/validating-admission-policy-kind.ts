import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import { addInvalid, addRequired, at, itemsAt, textAt, textOf } from '../../../apiserver/registry/validation/place.js';
import { trimSpace } from '../../../go/white-space.js';
import { checkConditions } from '../../policy/pod-disruption-budget/pod-disruption-budget-status-validation.js';
import { admissionPolicy } from '../admission-policy/admission-policy-strategy.js';
import { jsonPathProblem } from '../admission-policy/json-path.js';
import { validatingPolicyRules } from '../admission-policy/validating-policy-validation.js';

/** Source: admissionregistration/validation ValidateValidatingAdmissionPolicyStatusUpdate. */
const validatingPolicyStatus: readonly UpdateStep[] = [checkStatus];

function checkStatus(policy: Place): void {
  const status = at(policy, 'status');
  for (const warning of itemsAt(status, 'typeChecking', 'expressionWarnings')) {
    if (textAt(warning, 'warning') === '') addRequired(at(warning, 'warning'));
    checkFieldRef(at(warning, 'fieldRef'));
  }
  checkConditions(at(status, 'conditions'));
}

function checkFieldRef(place: Place): void {
  const text = trimSpace(textOf(place));
  if (text === '') {
    addRequired(place);
    return;
  }
  const problem = jsonPathProblem(`{${text}}`);
  if (problem !== undefined) addInvalid(place, `invalid JSONPath: ${problem}`, text);
}

/** ValidatingAdmissionPolicy. */
export const validatingAdmissionPolicyKind: KindDefinition = {
  refine: admissionPolicy,
  validation: validatingPolicyRules,
  subresources: { status: { update: validatingPolicyStatus } },
  allowsUnconditionalUpdate: false,
  hasGeneration: true,
  resetsStatus: true,
  keepsMetadataInStatus: true,
  resetFields: { status: ['spec', 'metadata'] },
  anyFinalizers: true,
};
