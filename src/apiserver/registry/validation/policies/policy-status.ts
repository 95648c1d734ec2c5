import { trimSpace } from '../../../../kubernetes/white-space.js';
import type { UpdateStep } from '../kind-rules.js';
import { addInvalid, addRequired, at, itemsAt, type Place, textAt, textOf } from '../place.js';
import { checkConditions } from '../subresources/disruption-budget-status.js';
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
