import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import {
  addDuplicate,
  addInvalid,
  addRequired,
  addUnsupported,
  at,
  indexed,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { tooLong } from '../../../kubernetes/field-error.js';
import { labelKeyProblems } from '../../../kubernetes/name-rules.js';
import { checkCounts } from '../../core/replication-controller/replica-counts.js';

/**
 * Validation of the status: the kind's own list covers only the status. Source: policy/validation ValidatePodDisruptionBudgetStatusUpdate.
 */
export const disruptionBudgetStatus: readonly UpdateStep[] = [
  budget => {
    const status = at(budget, 'status');
    checkConditions(at(status, 'conditions'));
    checkCounts(status, ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods']);
  },
];

/** Validates conditions of the common type. Source: apimachinery meta/v1/validation ValidateConditions. */
export function checkConditions(conditions: Place): void {
  const seen = new Set<string>();
  for (const condition of indexed(conditions)) {
    const type = at(condition, 'type');
    if (seen.has(textOf(type))) addDuplicate(type.server.since('v1.37') ? { ...type, path: condition.path } : type);
    seen.add(textOf(type));
    checkCondition(condition);
  }
}

const reasonProblem =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";

function checkCondition(condition: Place): void {
  const isRequired = condition.server.since('v1.37');
  const type = at(condition, 'type');
  if (isRequired && textOf(type) === '') addRequired(type, 'is required');
  else checkName(type, text => labelKeyProblems(condition.server, text));
  const status = at(condition, 'status');
  if (isRequired && textOf(status) === '') addRequired(status);
  else if (!['False', 'True', 'Unknown'].includes(textOf(status))) addUnsupported(status, ['False', 'True', 'Unknown']);
  const generation = at(condition, 'observedGeneration');
  if (numberOf(generation) < 0n) addInvalid(generation, 'must be greater than or equal to zero');
  if (textAt(condition, 'lastTransitionTime') === '') addRequired(at(condition, 'lastTransitionTime'));
  const reason = at(condition, 'reason');
  if (textOf(reason) === '') addRequired(reason);
  else if (!/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/.test(textOf(reason))) addInvalid(reason, reasonProblem);
  for (const [name, limit] of [
    ['reason', 1024],
    ['message', 32_768],
  ] as const)
    if (Buffer.byteLength(textAt(condition, name)) > limit) condition.errors.push(tooLong(at(condition, name).path, limit));
}
