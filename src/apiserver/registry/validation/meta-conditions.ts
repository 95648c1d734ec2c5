import { labelKeyProblems } from '../../../kubernetes/name-rules.js';
import type { FieldPath } from './field-path.js';
import { checkName } from './rules.js';

/** Validates conditions of the common type. Source: apimachinery meta/v1/validation ValidateConditions. */
export function checkMetaConditions(conditions: FieldPath): void {
  const seen = new Set<string>();
  for (const condition of conditions.items()) {
    const type = condition.child('type');
    if (seen.has(type.text())) (type.server.since('v1.37') ? type.shownAt(condition.path) : type).duplicate();
    seen.add(type.text());
    checkCondition(condition);
  }
}

const reasonProblem =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";

function checkCondition(condition: FieldPath): void {
  const isRequired = condition.server.since('v1.37');
  const type = condition.child('type');
  if (isRequired && type.text() === '') type.required('is required');
  else checkName(type, text => labelKeyProblems(condition.server, text));
  const status = condition.child('status');
  if (isRequired && status.text() === '') status.required();
  else if (!['False', 'True', 'Unknown'].includes(status.text())) status.notSupported(['False', 'True', 'Unknown']);
  const generation = condition.child('observedGeneration');
  if (generation.number() < 0n) generation.invalid('must be greater than or equal to zero');
  if (condition.text('lastTransitionTime') === '') condition.child('lastTransitionTime').required();
  const reason = condition.child('reason');
  if (reason.text() === '') reason.required();
  else if (!/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/.test(reason.text())) reason.invalid(reasonProblem);
  for (const [name, limit] of [
    ['reason', 1024],
    ['message', 32_768],
  ] as const)
    if (Buffer.byteLength(condition.text(name)) > limit) condition.child(name).tooLong(limit);
}
