import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkMetaConditions } from '../../../apiserver/registry/validation/meta-conditions.js';
import { trimSpace } from '../../../go/white-space.js';
import { jsonPathProblem } from '../../../kubernetes/json-path/parse.js';
import { admissionPolicy } from '../admission-policy/admission-policy-strategy.js';
import { validatingPolicyRules } from '../admission-policy/validating-policy-validation.js';

/** Source: admissionregistration/validation ValidateValidatingAdmissionPolicyStatusUpdate. */
const validatingPolicyStatus: readonly UpdateStep[] = [checkStatus];

function checkStatus(policy: FieldPath): void {
  const status = policy.child('status');
  for (const warning of status.items('typeChecking', 'expressionWarnings')) {
    if (warning.text('warning') === '') warning.child('warning').required();
    checkFieldRef(warning.child('fieldRef'));
  }
  checkMetaConditions(status.child('conditions'));
}

function checkFieldRef(field: FieldPath): void {
  const text = trimSpace(field.text());
  if (text === '') {
    field.required();
    return;
  }
  const problem = jsonPathProblem(`{${text}}`);
  if (problem !== undefined) field.invalid(text, `invalid JSONPath: ${problem}`);
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
