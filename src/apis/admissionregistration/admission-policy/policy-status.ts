import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { addInvalid, addRequired, at, itemsAt, type Place, textAt, textOf } from '../../../apiserver/registry/validation/place.js';
import { trimSpace } from '../../../go/white-space.js';
import { checkConditions } from '../../policy/pod-disruption-budget/pod-disruption-budget-status-validation.js';
import { jsonPathProblem } from './json-path.js';

/** Source: admissionregistration/validation ValidateValidatingAdmissionPolicyStatusUpdate. */
export const validatingPolicyStatus: readonly UpdateStep[] = [checkStatus];

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
